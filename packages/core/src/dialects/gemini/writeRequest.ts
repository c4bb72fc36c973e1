/** Writes a conversation as a request to generate content of Google's API: https://ai.google.dev/api/generate-content. */
import * as Result from "effect/Result"
import type { AnswerFormat, Conversation } from "../../conversation/Conversation.ts"
import { isObject } from "../../values/json/guards.ts"
import { omitUndefined } from "../../values/ownFields.ts"
import {
  failTranslation,
  isEmpty,
  omitFields,
  type UntranslatableRequest
} from "../UntranslatableRequest.ts"
import { RequestChanges } from "../RequestChanges.ts"
import { geminiNames, makeToolNames } from "../ToolNames.ts"
import { type Json, getExtraFields } from "./geminiFields.ts"
import { jsonType, textType } from "./parseRequest.ts"
import { writeContents } from "./writeContents.ts"
import { writeGeminiTools, writeToolConfig } from "./writeGeminiTools.ts"
import {
  defaultThinkingForm,
  type GeminiThinkingForm,
  writeThinkingConfig
} from "./writeThinkingConfig.ts"

type Written<A> = Result.Result<A, UntranslatableRequest>

/** Features of the endpoint's model; the URL names the model. */
export interface GeminiWriteOptions {
  /** The cap when the caller sets none; absent: the provider's. */
  readonly maxOutputTokens?: number
  /** Default: by a level, as Gemini 3 and later require. */
  readonly thinking?: GeminiThinkingForm
  /** Whether media may be URLs of any public host: on newer models. Default true. */
  readonly takesUrls?: boolean
  /** Whether the results of calls may hold media: on models from 3. Default true. */
  readonly takesResultMedia?: boolean
  /** Whether calls of the current turn need a signature: on models from 3. Default true. */
  readonly needsSignatures?: boolean
  /** Collects the fields that are sent in another form than the caller's; absent: changes are not reported. */
  readonly changes?: RequestChanges | undefined
}

/**
 * Leaves out settings that the API does not have, such as whether calls may be parallel. Fails for parts that the model
 * would miss, such as tools of another provider, and for calls and results that do not belong together.
 */
export const writeGeminiRequest = (
  conversation: Conversation,
  options: GeminiWriteOptions = {}
): Written<Json> => {
  const { needsSignatures = true, takesResultMedia = true, takesUrls = true } = options
  const { changes = new RequestChanges() } = options
  const names = makeToolNames(conversation.tools, geminiNames)
  const written = writeContents(conversation.turns, {
    changes,
    names,
    needsSignatures,
    takesResultMedia,
    takesUrls
  })
  if (Result.isFailure(written)) return Result.fail(written.failure)
  const { contents, system } = written.success
  const tools = writeGeminiTools(conversation.tools, names)
  if (Result.isFailure(tools)) return Result.fail(tools.failure)
  const toolConfig = writeToolConfig(conversation, names)
  if (Result.isFailure(toolConfig)) return Result.fail(toolConfig.failure)
  const generationConfig = writeGenerationConfig(conversation, options)
  if (Result.isFailure(generationConfig)) return generationConfig
  return Result.succeed({
    ...omitFields(getExtraFields(conversation.extra), mergedFields),
    ...omitUndefined({
      systemInstruction: system.length === 0 ? undefined : { parts: system },
      contents,
      tools: tools.success.length === 0 ? undefined : tools.success,
      toolConfig: toolConfig.success,
      serviceTier: toTier(conversation.serviceTier),
      generationConfig: isEmpty(generationConfig.success) ? undefined : generationConfig.success
    })
  })
}

/** Written together with what has a neutral form. */
const mergedFields: ReadonlySet<string> = new Set(["generationConfig", "toolConfig"])

const writeGenerationConfig = (
  conversation: Conversation,
  options: GeminiWriteOptions
): Written<Json> => {
  const { answers, logprobs, reasoning, sampling, stop } = conversation
  const { generationConfig } = getExtraFields(conversation.extra)
  const fields = isObject(generationConfig) ? generationConfig : {}
  const cap = conversation.maxOutputTokens ?? options.maxOutputTokens
  const format = writeFormat(conversation.format, fields)
  if (Result.isFailure(format)) return format
  return Result.succeed({
    ...omitUndefined({
      temperature: sampling.temperature,
      topP: sampling.topP,
      topK: sampling.topK,
      frequencyPenalty: sampling.frequencyPenalty,
      presencePenalty: sampling.presencePenalty,
      seed: sampling.seed,
      candidateCount: answers,
      maxOutputTokens: cap,
      stopSequences: fitStop(stop, options.changes),
      responseLogprobs: logprobs === undefined ? undefined : true,
      logprobs: logprobs === undefined || logprobs.top === 0 ? undefined : logprobs.top,
      thinkingConfig: writeThinkingConfig(reasoning, options.thinking ?? defaultThinkingForm, cap)
    }),
    ...format.success,
    ...fields
  })
}

/** The API refuses more than five, and empty ones: https://ai.google.dev/api/generate-content#generationconfig. */
const fitStop = (
  stop: Conversation["stop"],
  changes: RequestChanges | undefined
): ReadonlyArray<string> | undefined => {
  const kept = stop.filter((text) => text !== "").slice(0, maxStop)
  if (kept.length < stop.length) changes?.add(["stop"])
  return kept.length === 0 ? undefined : kept
}

const maxStop = 5

/** A schema in the form of the API is among the extra fields. */
const writeFormat = (format: AnswerFormat | undefined, fields: Json): Written<Json> => {
  switch (format?.type) {
    case undefined:
      return Result.succeed({})
    case "text":
      return Result.succeed({ responseMimeType: textType })
    case "json":
      return Result.succeed({ responseMimeType: jsonType })
    case "schema":
      return Result.succeed({
        responseMimeType: jsonType,
        ...(Object.hasOwn(fields, "responseSchema")
          ? undefined
          : { responseJsonSchema: format.schema })
      })
    case "opaque":
      return format.dialect === "gemini" && isObject(format.raw)
        ? Result.succeed(format.raw)
        : failTranslation(["response_format"], "is not one of this provider's API")
  }
}

/** The API has no setting for the other tiers of chat. */
export const toTier = (tier: string | undefined): string | undefined => {
  if (tier === "default") return "standard"
  return tier === "flex" || tier === "priority" ? tier : undefined
}
