/** An upstream of chats that calls tools, without a key and without a network: the first function it is given, with the caller's words. */
import {
  type ChatCall,
  type ChatCapability,
  type ChatEvent,
  type TokenUsage
} from "@signalbox/core/upstream"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { textOf } from "./parrot.ts"

/** It calls a tool once, and tells what the tool said; without tools it says that it has none. */
export const clerk: ChatCapability = {
  complete: (call) => {
    const { finishReason, message } = answerTo(call)
    return Effect.succeed({
      choices: [{ index: 0, message: { role: "assistant", ...message }, finishReason }],
      usage: usageOf(call)
    })
  },
  stream: (call) => {
    const { finishReason, message } = answerTo(call)
    const { tool_calls: calls, ...rest } = message
    const delta =
      calls === undefined
        ? rest
        : { ...rest, tool_calls: calls.map((each, index) => ({ index, ...each })) }
    return Stream.make<ReadonlyArray<ChatEvent>>(
      { type: "delta", choices: [{ index: 0, delta, finishReason: null }] },
      { type: "delta", choices: [{ index: 0, delta: {}, finishReason }] },
      { type: "end", usage: usageOf(call) }
    )
  },
  ignoresCredentials: true,
  worstCase: usageOf
}

interface Answer {
  readonly message: {
    readonly content: string | null
    readonly tool_calls?: ReadonlyArray<object>
  }
  readonly finishReason: "stop" | "tool_calls"
}

function answerTo({ messages, parameters }: ChatCall): Answer {
  const last = messages.at(-1)
  if (last?.role === "tool") {
    return { message: { content: `The tool says: ${textOf(last)}` }, finishReason: "stop" }
  }
  const tool = toolIn(parameters)
  if (tool === undefined) {
    return { message: { content: "I have no tool for that." }, finishReason: "stop" }
  }
  const name = String(tool["name"])
  const question = textOf(messages.findLast(({ role }) => role === "user"))
  return {
    message: {
      content: null,
      tool_calls: [
        {
          // The same conversation gets the same answer.
          id: `call_${messages.length}`,
          type: "function",
          function: { name, arguments: JSON.stringify(argumentsFor(tool, question)) }
        }
      ]
    },
    finishReason: "tool_calls"
  }
}

/** The one that `tool_choice` names, else the first; none when the caller wants none. */
const toolIn = ({ tool_choice: choice, tools }: ChatCall["parameters"]) => {
  if (choice === "none" || !Array.isArray(tools)) return undefined
  const functions = tools.flatMap((tool: unknown) => {
    const { function: described } = fieldsOf(tool)
    return described === undefined ? [] : [fieldsOf(described)]
  })
  const { name } = fieldsOf(fieldsOf(choice)["function"])
  return name === undefined ? functions[0] : functions.find((each) => each["name"] === name)
}

/** The caller's words for each text the function needs, and 1 for each number. */
const argumentsFor = (tool: Readonly<Record<string, unknown>>, question: string) => {
  const { properties, required } = fieldsOf(tool["parameters"])
  const needed: ReadonlyArray<unknown> = Array.isArray(required) ? required : []
  return Object.fromEntries(
    Object.entries(fieldsOf(properties))
      .filter(([name]) => needed.includes(name))
      .map(([name, schema]) => [name, valueFor(fieldsOf(schema)["type"], question)])
  )
}

const valueFor = (type: unknown, question: string): unknown => {
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

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {}

function usageOf({ contentBytes }: Pick<ChatCall, "contentBytes">): TokenUsage {
  // The usual estimate of four bytes a token.
  return { inputTokens: Math.ceil(contentBytes / 4), outputTokens: 20 }
}
