/** What the callers of each API send, and how they go on after an answer. */
import type { CallerApi, QuirkRequest } from "@signalbox/testing"
import type { Json } from "../dialects/NativeAnswer.ts"
import { toMessagesBody } from "../dialects/toMessagesBody.ts"
import { toResponsesBody } from "../dialects/toResponsesBody.ts"
import { getProperty, isObject } from "../support/getProperty.ts"

export interface QuirkCaller {
  readonly path: string
  readonly toBody: (request: QuirkRequest) => Json
  /** The body of the next turn, with what came back, and the results of its calls. */
  readonly goOn: (body: Json, answer: unknown) => Json
}

const question = { role: "user", content: "Is it calm at sea?" }
const next = "And at night?"
const result = "Calm."

const list = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

const chat: QuirkCaller = {
  path: "/api/v1/chat/completions",
  toBody: ({ body, cap, effort, forcesTool, messages = [question], tools }) => ({
    messages,
    ...(tools === undefined
      ? undefined
      : {
          tools: Object.entries(tools).map(([name, parameters]) => ({
            type: "function",
            function: { name, ...(Object.keys(parameters).length > 0 && { parameters }) }
          }))
        }),
    ...(forcesTool === true && { tool_choice: "required" }),
    ...(effort !== undefined && { reasoning: { effort } }),
    ...(cap !== undefined && { max_tokens: cap }),
    ...body?.chat
  }),
  goOn: (body, answer) => {
    const message = getProperty(list(getProperty(answer, "choices"))[0], "message")
    const calls = list(getProperty(message, "tool_calls"))
    return {
      ...body,
      messages: [
        ...list(body["messages"]),
        message,
        ...calls.map((call) => ({
          role: "tool",
          tool_call_id: getProperty(call, "id"),
          content: result
        })),
        ...(calls.length > 0 ? [] : [{ role: "user", content: next }])
      ]
    }
  }
}

const messages: QuirkCaller = {
  path: "/api/v1/messages",
  toBody: ({ body, cap = 4_096, effort, forcesTool, messages = [question], tools }) => ({
    max_tokens: cap,
    ...toMessagesBody(messages),
    ...(tools === undefined
      ? undefined
      : {
          tools: Object.entries(tools).map(([name, schema]) => ({
            name,
            input_schema: { type: "object", ...schema }
          }))
        }),
    ...(forcesTool === true && { tool_choice: { type: "any" } }),
    ...(effort !== undefined && {
      thinking: { type: "adaptive" },
      output_config: { effort }
    }),
    ...body?.messages
  }),
  goOn: (body, answer) => {
    const content = list(getProperty(answer, "content"))
    const calls = content.filter((block) => getProperty(block, "type") === "tool_use")
    return {
      ...body,
      messages: [
        ...list(body["messages"]),
        { role: "assistant", content },
        {
          role: "user",
          content:
            calls.length > 0
              ? calls.map((call) => ({
                  type: "tool_result",
                  tool_use_id: getProperty(call, "id"),
                  content: result
                }))
              : next
        }
      ]
    }
  }
}

const responses: QuirkCaller = {
  path: "/api/v1/responses",
  toBody: ({ body, cap, effort, forcesTool, messages = [question], tools }) => ({
    store: false,
    include: ["reasoning.encrypted_content"],
    ...toResponsesBody(messages),
    ...(tools === undefined
      ? undefined
      : {
          tools: Object.entries(tools).map(([name, parameters]) => ({
            type: "function",
            name,
            parameters: Object.keys(parameters).length > 0 ? parameters : null,
            strict: null
          }))
        }),
    ...(forcesTool === true && { tool_choice: "required" }),
    ...(effort !== undefined && { reasoning: { effort } }),
    ...(cap !== undefined && { max_output_tokens: cap }),
    ...body?.responses
  }),
  goOn: (body, answer) => {
    const output = list(getProperty(answer, "output"))
    const calls = output.filter(
      (item) => isObject(item) && getProperty(item, "type") === "function_call"
    )
    const { input } = body
    return {
      ...body,
      input: [
        ...(typeof input === "string" ? [{ role: "user", content: input }] : list(input)),
        ...output,
        ...calls.map((call) => ({
          type: "function_call_output",
          call_id: getProperty(call, "call_id"),
          output: result
        })),
        ...(calls.length > 0 ? [] : [{ role: "user", content: next }])
      ]
    }
  }
}

export const quirkCallers: Readonly<Record<CallerApi, QuirkCaller>> = { chat, messages, responses }
