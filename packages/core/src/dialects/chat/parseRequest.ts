/** Parses a request in OpenAI's chat dialect into a conversation. */
import * as Result from "effect/Result"
import type { AnswerFormat, Conversation, Sampling } from "../../conversation/Conversation.ts"
import { repairMessages } from "./repairMessages.ts"
import { isObject } from "../../values/json/guards.ts"
import { omitUndefined } from "../../values/ownFields.ts"
import { isEmpty, omitFields, UntranslatableRequest } from "../UntranslatableRequest.ts"
import { parseCacheMark } from "./parseContent.ts"
import { parseReasoningParameters } from "./reasoningParameters.ts"
import { parseTools, parseToolChoice } from "./parseTools.ts"
import { parseTurns } from "./parseTurns.ts"

type Json = Readonly<Record<string, unknown>>

/** The content of a chat: its messages, and the parameters of the model by their names. */
export interface ChatContent {
  readonly messages: ReadonlyArray<unknown>
  readonly parameters: Json
}

/**
 * Fails for a message or a parameter that has another type than the dialect says. Parameters without a neutral form are
 * kept as extra fields of the chat dialect.
 */
export const parseChatConversation = ({
  messages,
  parameters
}: ChatContent): Result.Result<Conversation, UntranslatableRequest> => {
  const turns = parseTurns(repairMessages(messages))
  return Result.flatMap(parseChatSettings(parameters), (settings) =>
    Result.map(turns, (said) => ({ turns: said, ...settings }))
  )
}

/** A conversation without its turns. */
export type ChatSettings = Omit<Conversation, "turns">

/** Fails for a parameter that has another type than the dialect says. */
export const parseChatSettings = (
  parameters: Json
): Result.Result<ChatSettings, UntranslatableRequest> => {
  const problem = findTypeProblem(parameters)
  return problem === undefined ? Result.succeed(parseParameters(parameters)) : Result.fail(problem)
}

/** Parameters of numbers: their names in the neutral form and in chat. */
export const samplingNames = [
  ["temperature", "temperature"],
  ["topP", "top_p"],
  ["topK", "top_k"],
  ["minP", "min_p"],
  ["topA", "top_a"],
  ["frequencyPenalty", "frequency_penalty"],
  ["presencePenalty", "presence_penalty"],
  ["repetitionPenalty", "repetition_penalty"],
  ["seed", "seed"]
] as const satisfies ReadonlyArray<readonly [keyof Sampling, string]>

const numberNames: ReadonlyArray<string> = [
  ...samplingNames.map(([, written]) => written),
  "max_completion_tokens",
  "max_tokens",
  "n",
  "top_logprobs"
]

/** The parameters that have a neutral form. */
const translatedNames: ReadonlySet<string> = new Set([
  ...numberNames,
  "cache_control",
  "function_call",
  "functions",
  "include_reasoning",
  "logit_bias",
  "logprobs",
  "parallel_tool_calls",
  "reasoning",
  "reasoning_effort",
  "response_format",
  "service_tier",
  "stop",
  "thinking",
  "tool_choice",
  "tools",
  "verbosity"
])

const findTypeProblem = (parameters: Json): UntranslatableRequest | undefined => {
  for (const name of numberNames) {
    const value = readParameter(parameters, name)
    if (value !== undefined && typeof value !== "number") {
      return new UntranslatableRequest({ path: [name], problem: "must be a number" })
    }
  }
  return undefined
}

/** Null counts as absent. */
const readParameter = (parameters: Json, name: string): unknown =>
  Object.hasOwn(parameters, name) ? (parameters[name] ?? undefined) : undefined

const parseParameters = (parameters: Json): ChatSettings => {
  const read = (name: string) => readParameter(parameters, name)
  const others = omitFields(parameters, translatedNames)
  return {
    tools: parseTools(read("tools"), read("functions")),
    sampling: parseSampling(parameters),
    stop: parseStop(read("stop")),
    ...omitUndefined({
      toolChoice: parseToolChoice(read("tool_choice") ?? toToolChoice(read("function_call"))),
      parallelCalls: findBoolean(read("parallel_tool_calls")),
      maxOutputTokens: findSmaller(read("max_tokens"), read("max_completion_tokens")),
      format: parseFormat(read("response_format")),
      reasoning: parseReasoningParameters(parameters),
      answers: findNumber(read("n")),
      logprobs:
        read("logprobs") === true ? { top: findNumber(read("top_logprobs")) ?? 0 } : undefined,
      verbosity: findText(read("verbosity")),
      serviceTier: findText(read("service_tier")),
      cache: parseCacheMark(read("cache_control")),
      extra: isEmpty(others) ? undefined : { dialect: "chat" as const, fields: others }
    })
  }
}

const parseSampling = (parameters: Json): Sampling => {
  const sampling: { -readonly [K in keyof Sampling]: Sampling[K] } = {}
  for (const [name, written] of samplingNames) {
    const value = findNumber(readParameter(parameters, written))
    if (value !== undefined) sampling[name] = value
  }
  const bias = readParameter(parameters, "logit_bias")
  if (isObject(bias)) sampling.logitBias = keepNumbers(bias)
  return sampling
}

const keepNumbers = (values: Json): Readonly<Record<string, number>> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      typeof value === "number" ? [[name, value] as const] : []
    )
  )

const parseStop = (stop: unknown): ReadonlyArray<string> => {
  if (typeof stop === "string") return [stop]
  return Array.isArray(stop) ? stop.filter((each) => typeof each === "string") : []
}

/** The form that predates tools. */
const toToolChoice = (call: unknown): unknown =>
  isObject(call) ? { type: "function", function: call } : call

const parseFormat = (format: unknown): AnswerFormat | undefined => {
  if (!isObject(format)) return undefined
  const { json_schema: described, type } = format
  if (type === "text") return { type: "text" }
  if (type === "json_object") return { type: "json" }
  if (type === "json_schema" && isObject(described)) {
    const { description, name, schema, strict } = described
    return {
      type: "schema",
      schema: isObject(schema) ? schema : {},
      ...omitUndefined({
        name: findText(name),
        description: findText(description),
        strict: findBoolean(strict)
      })
    }
  }
  return { type: "opaque", dialect: "chat", raw: format }
}

const findSmaller = (self: unknown, that: unknown): number | undefined =>
  typeof self === "number" && typeof that === "number"
    ? Math.min(self, that)
    : (findNumber(self) ?? findNumber(that))

const findNumber = (value: unknown): number | undefined =>
  typeof value === "number" ? value : undefined

const findText = (value: unknown): string | undefined =>
  typeof value === "string" ? value : undefined

const findBoolean = (value: unknown): boolean | undefined =>
  typeof value === "boolean" ? value : undefined
