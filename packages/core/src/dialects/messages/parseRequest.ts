/** Parses a request to Anthropic's Messages API: https://platform.claude.com/docs/en/api/messages. */
import type * as Result from "effect/Result"
import type { AnswerFormat, Conversation, Sampling } from "../../conversation/Conversation.ts"
import { isObject } from "../../values/json/guards.ts"
import { omitUndefined } from "../../values/ownFields.ts"
import { PlainTexts, type TextParts, type UnreadConversation } from "../PlainTexts.ts"
import {
  findField,
  findText,
  isEmpty,
  omitFields,
  readCount,
  readNumber,
  readObject,
  readText,
  readTexts,
  RequestProblems,
  type UntranslatableRequest
} from "../UntranslatableRequest.ts"
import { parseCacheMark, toExtra } from "./messagesFields.ts"
import { parseMessagesToolChoice, parseMessagesTools } from "./parseMessagesTools.ts"
import { getRole, parseMessagesTurns } from "./parseMessagesTurns.ts"
import { parseThinkingSettings } from "./parseThinkingSettings.ts"

type Json = Readonly<Record<string, unknown>>

/**
 * `body` has only fields for the model: the router's fields, such as `models`, have been taken out. Fails for a field
 * of another type than the API documents. Fields without a neutral form are kept as extra fields.
 */
export const parseMessagesRequest = (
  body: Json
): Result.Result<Conversation, UntranslatableRequest> => {
  const problems = new RequestProblems()
  const turns = parseMessagesTurns(body, problems)
  return problems.orFail({ ...parseSettings(body, problems), turns })
}

/** Reads the request; the turns of one that consists of texts are made when they are first needed. */
export const readMessagesRequest = (
  body: Json
): Result.Result<Conversation | UnreadConversation, UntranslatableRequest> => {
  const texts = readMessagesTexts(body)
  if (texts === undefined) return parseMessagesRequest(body)
  const problems = new RequestProblems()
  const settings = parseSettings(body, problems)
  // Texts have no problems.
  const toTurns = () => parseMessagesTurns(body, problems)
  return problems.orFail({ settings, texts, toTurns })
}

const parseSettings = (body: Json, problems: RequestProblems): Settings => {
  const tools = parseMessagesTools(body, problems)
  const choice = parseMessagesToolChoice(body, problems)
  const { extraThinking, reasoning } = parseThinkingSettings(body, problems)
  const maxOutputTokens = problems.take(readCount(body, "max_tokens"))
  const tier = problems.take(readText(body, "service_tier"))
  const serviceTier = toServiceTier(tier)
  const fields = omitFields(body, translatedFields)
  Object.assign(fields, findExtraOutput(body))
  if (extraThinking !== undefined) fields["thinking"] = extraThinking
  // Fields are added one by one, because most requests have few of them.
  const conversation: { -readonly [K in keyof Settings]: Settings[K] } = {
    tools,
    sampling: parseSampling(body, problems),
    stop: problems.take(readTexts(body, "stop_sequences")) ?? noTexts,
    ...choice
  }
  const format = parseFormat(body, problems)
  const cache = parseCacheMark(findField(body, "cache_control"))
  if (maxOutputTokens !== undefined) conversation.maxOutputTokens = maxOutputTokens
  if (format !== undefined) conversation.format = format
  if (reasoning !== undefined) conversation.reasoning = reasoning
  if (serviceTier !== undefined) conversation.serviceTier = serviceTier
  if (cache !== undefined) conversation.cache = cache
  if (!isEmpty(fields)) conversation.extra = toExtra(fields)
  return conversation
}

type Settings = UnreadConversation["settings"]

const noTexts: ReadonlyArray<string> = []

/** `model` and `stream` are the caller's, not said to the model. */
const translatedFields: ReadonlySet<string> = new Set([
  "cache_control",
  "max_tokens",
  "messages",
  "model",
  "output_config",
  "output_format",
  "service_tier",
  "stop_sequences",
  "stream",
  "system",
  "temperature",
  "thinking",
  "tool_choice",
  "tools",
  "top_k",
  "top_p"
])

const parseSampling = (body: Json, problems: RequestProblems): Sampling => {
  const temperature = problems.take(readNumber(body, "temperature"))
  const topP = problems.take(readNumber(body, "top_p"))
  const topK = problems.take(readNumber(body, "top_k"))
  return temperature === undefined && topP === undefined && topK === undefined
    ? noSampling
    : omitUndefined({ temperature, topP, topK })
}

const noSampling: Sampling = {}

/** `output_format` is the older name. */
const parseFormat = (body: Json, problems: RequestProblems): AnswerFormat | undefined => {
  const output = problems.take(readObject(body, "output_config"))
  const older = problems.take(readObject(body, "output_format"))
  const newer = output && problems.take(readObject(output, "format", ["output_config"]))
  const format = newer ?? older
  if (format === undefined) return undefined
  const schema = findField(format, "schema")
  return format["type"] === "json_schema" && isObject(schema)
    ? { type: "schema", schema }
    : { type: "opaque", dialect: "messages", raw: format }
}

const findExtraOutput = (body: Json): Json | undefined => {
  const output = findField(body, "output_config")
  if (!isObject(output)) return undefined
  const fields = omitFields(output, outputFields)
  return isEmpty(fields) ? undefined : { output_config: fields }
}

const outputFields: ReadonlySet<string> = new Set(["effort", "format"])

const toServiceTier = (tier: string | undefined): string | undefined => {
  if (tier === "auto") return undefined
  return tier === "standard_only" ? "default" : tier
}

/** The end user, whom metadata names; it is no proof of who that is. */
export const findMessagesUser = (body: Json): string | undefined => {
  const metadata = findField(body, "metadata")
  const user = isObject(metadata) ? findText(metadata, "user_id") : undefined
  return user !== undefined && user !== "" && user.length <= 256 ? user : undefined
}

/** Undefined for a request with other content, such as media, calls or thinking, and for one that may be invalid. */
const readMessagesTexts = ({
  messages,
  system
}: Readonly<Record<string, unknown>>): PlainTexts | undefined => {
  if (!Array.isArray(messages)) return undefined
  const texts = new PlainTexts()
  if (system !== undefined && !texts.addContent("system", system, blocks)) return undefined
  for (let index = 0; index < messages.length; index++) {
    const message: unknown = messages[index]
    const role = isObject(message) ? getRole(message["role"]) : undefined
    if (!isObject(message) || role === undefined) return undefined
    if (!texts.addContent(role, message["content"], blocks)) return undefined
  }
  return texts
}

const blocks: TextParts = { types: new Set(["text"]), mayBeEmpty: true }
