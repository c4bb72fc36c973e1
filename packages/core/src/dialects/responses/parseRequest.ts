/** Parses a request of OpenAI's Responses API into a conversation. */
import type * as Result from "effect/Result"
import type {
  AnswerFormat,
  Conversation,
  Logprobs,
  ReasoningSettings,
  Sampling,
  Turn
} from "../../conversation/Conversation.ts"
import { isObject, toList } from "../../values/json/guards.ts"
import { omitUndefined } from "../../values/ownFields.ts"
import { PlainTexts, type TextParts, type UnreadConversation } from "../PlainTexts.ts"
import {
  isEmpty,
  omitFields,
  RequestProblems,
  type UntranslatableRequest
} from "../UntranslatableRequest.ts"
import { parseCacheMark } from "../chat/parseContent.ts"
import { findBoolean, findNumber, findText, type Json, toExtra } from "./fields.ts"
import { parseInput, textTypes } from "./parseInput.ts"
import { parseToolChoice, parseTools } from "./parseTools.ts"

/**
 * The fields of the router, such as `model`, are left out. Fields without a neutral form are kept as extra fields of this
 * dialect. Fails for what needs stored responses, and for a field of another type than the API says.
 */
export const parseResponsesRequest = (
  body: Json
): Result.Result<Conversation, UntranslatableRequest> => {
  const problems = new RequestProblems()
  checkStateless(body, problems)
  checkTypes(body, problems)
  const turns = parseTurns(body, problems)
  return problems.orFail({ ...parseSettings(body, problems), turns })
}

/** Reads the request; the turns of one that consists of texts are made when they are first needed. */
export const readResponsesRequest = (
  body: Json
): Result.Result<Conversation | UnreadConversation, UntranslatableRequest> => {
  const texts = readResponsesTexts(body)
  if (texts === undefined) return parseResponsesRequest(body)
  const problems = new RequestProblems()
  checkStateless(body, problems)
  checkTypes(body, problems)
  const settings = parseSettings(body, problems)
  // Texts have no problems.
  const toTurns = () => parseTurns(body, problems)
  return problems.orFail({ settings, texts, toTurns })
}

const parseTurns = (
  { input, instructions }: Json,
  problems: RequestProblems
): ReadonlyArray<Turn> => [...parseInstructions(instructions), ...parseInput(input, problems)]

const parseSettings = (body: Json, problems: RequestProblems): Settings => {
  const { text } = body
  const conversation: { -readonly [K in keyof Settings]: Settings[K] } = {
    tools: parseTools(body["tools"], problems),
    sampling: parseSampling(body),
    stop: noTexts,
    ...toExtra(collectExtra(body))
  }
  const toolChoice = parseToolChoice(body["tool_choice"], problems)
  const parallelCalls = findBoolean(body["parallel_tool_calls"])
  const maxOutputTokens = findNumber(body["max_output_tokens"])
  const format = parseFormat(text)
  const reasoning = parseReasoningSettings(body["reasoning"])
  const logprobs = parseLogprobs(body)
  const verbosity = isObject(text) ? findText(text["verbosity"]) : undefined
  const serviceTier = parseServiceTier(body["service_tier"])
  const cache = parseCacheMark(body["cache_control"])
  // Fields are added one by one, because most requests have few of them.
  if (toolChoice !== undefined) conversation.toolChoice = toolChoice
  if (parallelCalls !== undefined) conversation.parallelCalls = parallelCalls
  if (maxOutputTokens !== undefined) conversation.maxOutputTokens = maxOutputTokens
  if (format !== undefined) conversation.format = format
  if (reasoning !== undefined) conversation.reasoning = reasoning
  if (logprobs !== undefined) conversation.logprobs = logprobs
  if (verbosity !== undefined) conversation.verbosity = verbosity
  if (serviceTier !== undefined) conversation.serviceTier = serviceTier
  if (cache !== undefined) conversation.cache = cache
  return conversation
}

type Settings = UnreadConversation["settings"]

const noTexts: ReadonlyArray<string> = []

/** Responses are not stored, so that nothing can continue them or run in the background. */
const checkStateless = (body: Json, problems: RequestProblems): void => {
  if (body["store"] === true) problems.add(["store"], "responses are not stored: use false")
  if (body["background"] === true) problems.add(["background"], "is not supported")
  checkUnset(body, "previous_response_id", problems)
  checkUnset(body, "conversation", problems)
  checkUnset(body, "prompt", problems)
}

const checkUnset = (body: Json, name: string, problems: RequestProblems): void => {
  if (body[name] !== undefined && body[name] !== null) {
    problems.add([name], "refers to what is stored, but nothing is: send it in the input")
  }
}

const checkTypes = (body: Json, problems: RequestProblems): void => {
  for (const name in body) {
    const type = Object.hasOwn(scalarTypes, name) ? scalarTypes[name] : undefined
    const value = body[name] ?? undefined
    if (type !== undefined && value !== undefined && typeof value !== type) {
      problems.add([name], `must be a ${type}`)
    }
  }
  checkObject(body, "reasoning", problems)
  checkObject(body, "text", problems)
}

const checkObject = (body: Json, name: string, problems: RequestProblems): void => {
  const value = body[name] ?? undefined
  if (value !== undefined && !isObject(value)) problems.add([name], "must be an object")
}

/** Null counts as absent. */
const scalarTypes: Readonly<Record<string, "boolean" | "number" | "string">> = {
  instructions: "string",
  max_output_tokens: "number",
  temperature: "number",
  top_p: "number",
  top_k: "number",
  frequency_penalty: "number",
  presence_penalty: "number",
  top_logprobs: "number",
  parallel_tool_calls: "boolean",
  service_tier: "string"
}

/** The fields that have a neutral form; of three of them, something may be left for `extra`. */
const translatedNames: ReadonlySet<string> = new Set([
  ...Object.keys(scalarTypes),
  "input",
  "tools",
  "tool_choice",
  "text",
  "reasoning",
  "include",
  "cache_control"
])

/** Fields of the router, and those that say how the response is delivered. */
const deliveryNames: ReadonlySet<string> = new Set([
  "background",
  "client_metadata",
  "conversation",
  "model",
  "models",
  "previous_response_id",
  "prompt",
  "provider",
  "session_id",
  "store",
  "stream",
  "stream_options",
  "trace",
  "user"
])

const knownNames: ReadonlySet<string> = new Set([...translatedNames, ...deliveryNames])

const collectExtra = (body: Json): Json => {
  const fields = omitFields(body, knownNames)
  keepOthers(fields, body, "text", textNames)
  keepOthers(fields, body, "reasoning", reasoningNames)
  const { include } = body
  if (Array.isArray(include)) {
    const others = include.filter(
      (name) => typeof name === "string" && !translatedIncludes.has(name)
    )
    if (others.length > 0) fields["include"] = others
  }
  const top = findNumber(body["top_logprobs"])
  if (top !== undefined && parseLogprobs(body) === undefined) fields["top_logprobs"] = top
  return fields
}

/** Keeps the content of the field `name` that is not in `translated`. */
const keepOthers = (
  fields: Record<string, unknown>,
  body: Json,
  name: string,
  translated: ReadonlySet<string>
): void => {
  const value = body[name]
  if (!isObject(value)) return
  const others = omitFields(value, translated)
  if (!isEmpty(others)) fields[name] = others
}

const textNames: ReadonlySet<string> = new Set(["format", "verbosity"])
const reasoningNames: ReadonlySet<string> = new Set([
  "effort",
  "enabled",
  "generate_summary",
  "max_tokens",
  "summary"
])

/** The values of `include` that have a neutral form, or are always asked for. */
export const encryptedReasoning = "reasoning.encrypted_content"
export const outputLogprobs = "message.output_text.logprobs"
const translatedIncludes: ReadonlySet<string> = new Set([encryptedReasoning, outputLogprobs])

const parseInstructions = (instructions: unknown): ReadonlyArray<Turn> =>
  typeof instructions === "string" && instructions !== ""
    ? [{ role: "system", parts: [{ type: "text", text: instructions }] }]
    : []

const parseSampling = (body: Json): Sampling =>
  omitUndefined({
    temperature: findNumber(body["temperature"]),
    topP: findNumber(body["top_p"]),
    topK: findNumber(body["top_k"]),
    frequencyPenalty: findNumber(body["frequency_penalty"]),
    presencePenalty: findNumber(body["presence_penalty"])
  })

const parseFormat = (text: unknown): AnswerFormat | undefined => {
  const format = isObject(text) ? text["format"] : undefined
  if (!isObject(format)) return undefined
  const { description, name, schema, strict, type } = format
  if (type === "text") return { type: "text" }
  if (type === "json_object") return { type: "json" }
  if (type === "json_schema" && isObject(schema)) {
    return {
      type: "schema",
      schema,
      ...omitUndefined({
        name: findText(name),
        description: findText(description),
        strict: findBoolean(strict)
      })
    }
  }
  return { type: "opaque", dialect: "responses", raw: format }
}

/** Without a summary the client wants no readable reasoning. */
const parseReasoningSettings = (reasoning: unknown): ReasoningSettings | undefined => {
  if (!isObject(reasoning)) return undefined
  const { effort, enabled, generate_summary, max_tokens, summary } = reasoning
  const settings = omitUndefined({
    effort: findText(effort),
    maxTokens: findNumber(max_tokens),
    isEnabled: findBoolean(enabled),
    summary: findText(summary) ?? findText(generate_summary)
  })
  if (isEmpty(settings)) return undefined
  return settings.summary === undefined ? { ...settings, isExcluded: true } : settings
}

const parseLogprobs = (body: Json): Logprobs | undefined =>
  toList(body["include"]).includes(outputLogprobs)
    ? { top: findNumber(body["top_logprobs"]) ?? 0 }
    : undefined

/** `auto` and `default` ask for nothing. */
const parseServiceTier = (tier: unknown): string | undefined =>
  tier === "auto" || tier === "default" ? undefined : findText(tier)

/**
 * Undefined for a request with other content, such as media, calls or reasoning, with an empty text, which is no message
 * everywhere, and for one that may be invalid.
 */
const readResponsesTexts = ({
  input,
  instructions
}: Readonly<Record<string, unknown>>): PlainTexts | undefined => {
  const texts = new PlainTexts()
  if (typeof instructions === "string" && instructions !== "") texts.add("system", 1, true)
  if (typeof input === "string") return texts.addContent("user", input, parts) ? texts : undefined
  if (!Array.isArray(input)) return undefined
  for (let index = 0; index < input.length; index++) {
    const item: unknown = input[index]
    if (!isObject(item) || (item["type"] ?? "message") !== "message") return undefined
    const role = roles.get(item["role"])
    if (role === undefined || !texts.addContent(role, item["content"], parts)) return undefined
  }
  return texts
}

const roles: ReadonlyMap<unknown, "assistant" | "system" | "user"> = new Map([
  ["assistant", "assistant"],
  ["developer", "system"],
  ["system", "system"],
  ["user", "user"]
])

const parts: TextParts = { types: textTypes, mayBeEmpty: false }
