/** A chat upstream without key and network, which calls the first function of the request with the caller's words. */
import type {
  AnswerEnd,
  AnswerEvent,
  CallPart,
  FunctionTool,
  TextPart,
  Tool,
  ToolChoice
} from "@signalbox/core/dialects"
import type { ChatCall, ChatCapability, ChatEvent, TokenUsage } from "@signalbox/core/upstream"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { findLastQuestion, toText } from "./echoChat.ts"

/** Calls a tool once and repeats its result. Without tools, its answer says that it has none. */
export const toolCallingChat: ChatCapability = {
  complete: (call) => {
    const { end, part } = makeReply(call)
    return Effect.succeed({
      choices: [{ index: 0, answer: { parts: [part], end } }],
      usage: toUsage(call)
    })
  },
  stream: (call) => {
    const { end, part } = makeReply(call)
    return Stream.make<ReadonlyArray<ChatEvent>>(
      { type: "delta", choices: [{ index: 0, events: [toEvent(part)] }] },
      { type: "delta", choices: [{ index: 0, events: [], end }] },
      { type: "end", usage: toUsage(call) }
    )
  },
  ignoresCredentials: true,
  estimateWorstCase: toUsage
}

interface ToolReply {
  readonly part: CallPart | TextPart
  readonly end: AnswerEnd
}

const say = (text: string): ToolReply => ({ part: { type: "text", text }, end: { reason: "stop" } })

function makeReply(call: ChatCall): ToolReply {
  const { toolChoice, tools, turns } = Result.getOrThrow(call.conversation)
  const last = turns.at(-1)
  if (last?.role === "tool") return say(`The tool says: ${toText(last.parts)}`)
  const tool = findTool(tools, toolChoice)
  if (tool === undefined) return say("I have no tool for that.")
  const question = findLastQuestion(call)
  return {
    part: {
      type: "call",
      // The same conversation gets the same id.
      id: `call_${turns.length}`,
      name: tool.name,
      arguments: JSON.stringify(makeArguments(tool, question))
    },
    end: { reason: "tool_calls" }
  }
}

const toEvent = (part: CallPart | TextPart): AnswerEvent =>
  part.type === "text"
    ? part
    : {
        type: "call",
        call: { id: part.id, name: part.name, isCustom: false },
        text: part.arguments
      }

/** The function that the caller chose, else the first; undefined for `none`. */
const findTool = (
  tools: ReadonlyArray<Tool>,
  choice: ToolChoice | undefined
): FunctionTool | undefined => {
  if (choice?.type === "none") return undefined
  const functions = tools.filter((tool) => tool.type === "function")
  return choice?.type === "tool" ? functions.find(({ name }) => name === choice.name) : functions[0]
}

/** The caller's words for each text argument, and 1 for each number. */
const makeArguments = ({ parameters }: FunctionTool, question: string) => {
  const { properties, required } = parameters ?? {}
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
