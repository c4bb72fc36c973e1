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
import { isObject } from "../../values/json/isObject.ts"
import { omitUndefined } from "../../values/omitUndefined.ts"
import { parseCacheMark } from "../chat/parseContent.ts"
import type { UntranslatableRequest } from "../UntranslatableRequest.ts"
import { isEmpty, omitFields } from "../readField.ts"
import { findBoolean, findNumber, findText, type Json, toExtra, toList } from "./fields.ts"
import { parseInput } from "./parseInput.ts"
import { parseToolChoice, parseTools } from "./parseTools.ts"
import { RequestProblems } from "../RequestProblems.ts"

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
  const conversation: Conversation = {
    turns: [...parseInstructions(body["instructions"]), ...parseInput(body["input"], problems)],
    tools: parseTools(body["tools"], problems),
    sampling: parseSampling(body),
    stop: [],
    ...omitUndefined({
      toolChoice: parseToolChoice(body["tool_choice"], problems),
      parallelCalls: findBoolean(body["parallel_tool_calls"]),
      maxOutputTokens: findNumber(body["max_output_tokens"]),
      format: parseFormat(body["text"]),
      reasoning: parseReasoningSettings(body["reasoning"]),
      logprobs: parseLogprobs(body),
      verbosity: isObject(body["text"]) ? findText(body["text"]["verbosity"]) : undefined,
      serviceTier: parseServiceTier(body["service_tier"]),
      cache: parseCacheMark(body["cache_control"])
    }),
    ...toExtra(collectExtra(body))
  }
  return problems.orFail(conversation)
}

/** Responses are not stored, so that nothing can continue them or run in the background. */
const checkStateless = (body: Json, problems: RequestProblems): void => {
  if (body["store"] === true) problems.add(["store"], "responses are not stored: use false")
  if (body["background"] === true) problems.add(["background"], "is not supported")
  for (const name of ["previous_response_id", "conversation", "prompt"]) {
    if (body[name] !== undefined && body[name] !== null) {
      problems.add([name], "refers to what is stored, but nothing is: send it in the input")
    }
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
  for (const name of ["reasoning", "text"]) {
    const value = body[name] ?? undefined
    if (value !== undefined && !isObject(value)) problems.add([name], "must be an object")
  }
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
  const text = isObject(body["text"]) ? omitFields(body["text"], textNames) : {}
  const reasoning = isObject(body["reasoning"]) ? omitFields(body["reasoning"], reasoningNames) : {}
  const include = toList(body["include"]).filter(
    (name) => typeof name === "string" && !translatedIncludes.has(name)
  )
  const top = findNumber(body["top_logprobs"])
  return {
    ...omitFields(body, knownNames),
    ...(isEmpty(text) ? undefined : { text }),
    ...(isEmpty(reasoning) ? undefined : { reasoning }),
    ...(include.length === 0 ? undefined : { include }),
    ...(top === undefined || parseLogprobs(body) !== undefined ? undefined : { top_logprobs: top })
  }
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
