/** Parses a request to Anthropic's Messages API: https://platform.claude.com/docs/en/api/messages. */
import * as Result from "effect/Result"
import type { AnswerFormat, Conversation, Sampling } from "../../conversation/Conversation.ts"
import { isObject } from "../../values/json/isObject.ts"
import { omitUndefined } from "../../values/omitUndefined.ts"
import type { UntranslatableRequest } from "../UntranslatableRequest.ts"
import { parseCacheMark, toExtra } from "./messagesFields.ts"
import { parseMessagesToolChoice, parseMessagesTools } from "./parseMessagesTools.ts"
import { parseMessagesTurns } from "./parseMessagesTurns.ts"
import { parseThinkingSettings } from "./parseThinkingSettings.ts"
import {
  findField,
  findText,
  isEmpty,
  omitFields,
  readCount,
  readNumber,
  readObject,
  readText,
  readTexts
} from "../readField.ts"

type Json = Readonly<Record<string, unknown>>
type Parsed<A> = Result.Result<A, UntranslatableRequest>

/**
 * `body` has only what is said to the model: the keys of the router, such as `models`, have been taken out. Fails for a
 * field that has another type than the API says. Fields without a neutral form are kept as extra fields.
 */
export const parseMessagesRequest = (body: Json): Parsed<Conversation> =>
  Result.gen(function* () {
    const turns = yield* parseMessagesTurns(body)
    const tools = yield* parseMessagesTools(body)
    const choice = yield* parseMessagesToolChoice(body)
    const { extraThinking, reasoning } = yield* parseThinkingSettings(body)
    const maxOutputTokens = yield* readCount(body, "max_tokens")
    const tier = yield* readText(body, "service_tier")
    const fields = {
      ...omitFields(body, translatedFields),
      ...findExtraOutput(body),
      ...omitUndefined({ thinking: extraThinking })
    }
    return {
      turns,
      tools,
      ...choice,
      sampling: yield* parseSampling(body),
      stop: (yield* readTexts(body, "stop_sequences")) ?? [],
      ...omitUndefined({
        maxOutputTokens,
        format: yield* parseFormat(body),
        reasoning,
        serviceTier: toServiceTier(tier),
        cache: parseCacheMark(findField(body, "cache_control")),
        extra: isEmpty(fields) ? undefined : toExtra(fields)
      })
    }
  })

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

const parseSampling = (body: Json): Parsed<Sampling> =>
  Result.gen(function* () {
    return omitUndefined({
      temperature: yield* readNumber(body, "temperature"),
      topP: yield* readNumber(body, "top_p"),
      topK: yield* readNumber(body, "top_k")
    })
  })

/** `output_format` is the older name. */
const parseFormat = (body: Json): Parsed<AnswerFormat | undefined> =>
  Result.gen(function* () {
    const output = (yield* readObject(body, "output_config")) ?? {}
    const older = yield* readObject(body, "output_format")
    const format = (yield* readObject(output, "format", ["output_config"])) ?? older
    if (format === undefined) return undefined
    const schema = findField(format, "schema")
    return format["type"] === "json_schema" && isObject(schema)
      ? { type: "schema", schema }
      : { type: "opaque", dialect: "messages", raw: format }
  })

const findExtraOutput = (body: Json): Json => {
  const output = findField(body, "output_config")
  const fields = isObject(output) ? omitFields(output, outputFields) : {}
  return isEmpty(fields) ? {} : { output_config: fields }
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
