/** A chat upstream without key and network, which calls the first function of the request with the caller's words. */
import {
  type ChatCall,
  type ChatCapability,
  type ChatEvent,
  type TokenUsage
} from "@signalbox/core/upstream"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { toText } from "./echoChat.ts"

/** Calls a tool once and repeats its result. Without tools, it says so. */
export const toolCallingChat: ChatCapability = {
  complete: (call) => {
    const { finishReason, message } = makeReply(call)
    return Effect.succeed({
      choices: [{ index: 0, message: { role: "assistant", ...message }, finishReason }],
      usage: toUsage(call)
    })
  },
  stream: (call) => {
    const { finishReason, message } = makeReply(call)
    const { tool_calls: calls, ...rest } = message
    const delta =
      calls === undefined
        ? rest
        : { ...rest, tool_calls: calls.map((each, index) => ({ index, ...each })) }
    return Stream.make<ReadonlyArray<ChatEvent>>(
      { type: "delta", choices: [{ index: 0, delta, finishReason: null }] },
      { type: "delta", choices: [{ index: 0, delta: {}, finishReason }] },
      { type: "end", usage: toUsage(call) }
    )
  },
  ignoresCredentials: true,
  estimateWorstCase: toUsage
}

interface ChatReply {
  readonly message: {
    readonly content: string | null
    readonly tool_calls?: ReadonlyArray<object>
  }
  readonly finishReason: "stop" | "tool_calls"
}

function makeReply({ messages, parameters }: ChatCall): ChatReply {
  const last = messages.at(-1)
  if (last?.role === "tool") {
    return { message: { content: `The tool says: ${toText(last)}` }, finishReason: "stop" }
  }
  const tool = findTool(parameters)
  if (tool === undefined) {
    return { message: { content: "I have no tool for that." }, finishReason: "stop" }
  }
  const name = String(tool["name"])
  const question = toText(messages.findLast(({ role }) => role === "user"))
  return {
    message: {
      content: null,
      tool_calls: [
        {
          // The same conversation gets the same id.
          id: `call_${messages.length}`,
          type: "function",
          function: { name, arguments: JSON.stringify(makeArguments(tool, question)) }
        }
      ]
    },
    finishReason: "tool_calls"
  }
}

/** The function that `tool_choice` names, else the first; undefined for `none`. */
const findTool = ({ tool_choice: choice, tools }: ChatCall["parameters"]) => {
  if (choice === "none" || !Array.isArray(tools)) return undefined
  const functions = tools.flatMap((tool: unknown) => {
    const { function: described } = toFields(tool)
    return described === undefined ? [] : [toFields(described)]
  })
  const { name } = toFields(toFields(choice)["function"])
  return name === undefined ? functions[0] : functions.find((each) => each["name"] === name)
}

/** The caller's words for each text argument, and 1 for each number. */
const makeArguments = (tool: Readonly<Record<string, unknown>>, question: string) => {
  const { properties, required } = toFields(tool["parameters"])
  const needed: ReadonlyArray<unknown> = Array.isArray(required) ? required : []
  return Object.fromEntries(
    Object.entries(toFields(properties))
      .filter(([name]) => needed.includes(name))
      .map(([name, schema]) => [name, makeValue(toFields(schema)["type"], question)])
  )
}

const makeValue = (type: unknown, question: string): unknown => {
  switch (type) {
    case "integer":
    case "number":
      return 1
    case "boolean":
      return true
    default:
      return question
  }
}

const toFields = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {}

function toUsage({ contentBytes }: Pick<ChatCall, "contentBytes">): TokenUsage {
  // The usual estimate of four bytes a token.
  return { inputTokens: Math.ceil(contentBytes / 4), outputTokens: 20 }
}
