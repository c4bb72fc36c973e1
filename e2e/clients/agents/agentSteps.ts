/** A model that lists and reads files at once, edits one, and answers; in the words of each provider's API. */
import { reply, type Step } from "@signalbox/testing"
import type { Json } from "../../dialects/NativeAnswer.ts"
import { responsesCreated, responsesEnd, responsesEvent } from "../../dialects/writeResponses.ts"
import type { ClientDialect } from "../startClientServer.ts"
import { edit } from "./AgentFolder.ts"
import { agentNamespace } from "./ResponsesAgent.ts"

export const lastText = "The greeting is spelt right now."

const reasoning = "A look at the files first."

/** For an agent with plain tools. */
export const plainSteps: readonly [Step, Step, Step] = [
  reply.chat(["I look at ", "the files."], {
    reasoning,
    toolCalls: [
      { id: "toolu_01", name: "list_files", arguments: "{}" },
      { id: "toolu_02", name: "read_file", arguments: JSON.stringify({ path: edit.path }) }
    ]
  }),
  reply.chat([], {
    toolCalls: [{ id: "toolu_03", name: "edit_file", arguments: JSON.stringify(edit) }]
  }),
  reply.chat(lastText)
]

const patch = `${edit.path}\n${edit.old}\n${edit.new}\n`

/** For an agent with tools of a namespace and a tool of free text, which only one API has. */
export const toNamespaceSteps = (dialect: ClientDialect): readonly [Step, Step, Step] =>
  dialect === "responses"
    ? [
        toItemEvents([
          {
            type: "reasoning",
            id: "rs_1",
            summary: [{ type: "summary_text", text: reasoning }],
            encrypted_content: "c2VhbGVkLWJ5LXRoZS1hZ2VudA=="
          },
          toNamespaceCall("call_01", "list_files", "{}"),
          toNamespaceCall("call_02", "read_file", JSON.stringify({ path: edit.path }))
        ]),
        toItemEvents([
          {
            type: "custom_tool_call",
            id: "ctc_1",
            call_id: "call_03",
            name: "apply_patch",
            input: patch,
            status: "completed"
          }
        ]),
        reply.chat(lastText)
      ]
    : [
        reply.chat(["I look at ", "the files."], {
          reasoning,
          toolCalls: [
            { id: "call_01", name: `${agentNamespace}__list_files`, arguments: "{}" },
            {
              id: "call_02",
              name: `${agentNamespace}__read_file`,
              arguments: JSON.stringify({ path: edit.path })
            }
          ]
        }),
        reply.chat([], {
          toolCalls: [
            { id: "call_03", name: "apply_patch", arguments: JSON.stringify({ input: patch }) }
          ]
        }),
        reply.chat(lastText)
      ]

const toNamespaceCall = (call_id: string, name: string, given: string): Json => ({
  type: "function_call",
  id: call_id.replace("call", "fc"),
  call_id,
  name,
  namespace: agentNamespace,
  arguments: given,
  status: "completed"
})

const toItemEvents = (items: ReadonlyArray<Json>): Step =>
  reply.events([
    responsesCreated,
    ...items.flatMap((item, output_index) => [
      responsesEvent("output_item.added", { output_index, item: { ...item, ...toEmpty(item) } }),
      responsesEvent("output_item.done", { output_index, item })
    ]),
    responsesEnd(items)
  ])

const toEmpty = ({ type }: Json): Json => {
  switch (type) {
    case "reasoning":
      return { summary: [] }
    case "custom_tool_call":
      return { input: "", status: "in_progress" }
    default:
      return { arguments: "", status: "in_progress" }
  }
}
