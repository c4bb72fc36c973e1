/** Parses a request to generate content of Google's API: https://ai.google.dev/api/generate-content. */
import * as Result from "effect/Result"
import type {
  AnswerFormat,
  Conversation,
  ReasoningSettings,
  Sampling
} from "../../conversation/Conversation.ts"
import { isObject } from "../../values/json/guards.ts"
import { omitUndefined } from "../../values/ownFields.ts"
import {
  findField,
  isEmpty,
  omitFields,
  readCount,
  readNumber,
  readObject,
  readText,
  readTexts,
  type UntranslatableRequest
} from "../UntranslatableRequest.ts"
import { fromGeminiSchema, parseGeminiToolChoice, parseGeminiTools } from "./parseGeminiTools.ts"
import { type Json, toCamelCase, toExtra } from "./geminiFields.ts"
import { parseGeminiTurns } from "./parseGeminiTurns.ts"

type Parsed<A> = Result.Result<A, UntranslatableRequest>

/**
 * `json` has only fields for the model: the model's name is in the URL, and the router's fields have been taken out.
 * Fails for a field of another type than the API documents. Fields without a neutral form, such as `safetySettings`,
 * are kept as extra fields.
 */
export const parseGeminiRequest = (json: Json): Parsed<Conversation> =>
  Result.gen(function* () {
    const body = toCamelCase(json)
    const turns = yield* parseGeminiTurns(body)
    const tools = yield* parseGeminiTools(body)
    const { extraConfig, toolChoice } = yield* parseGeminiToolChoice(body)
    const { extra: extraGeneration, ...generation } = yield* parseGenerationConfig(body)
    const tier = yield* readText(body, "serviceTier")
    return {
      turns,
      tools,
      ...generation,
      ...omitUndefined({ toolChoice, serviceTier: toServiceTier(tier) }),
      ...toExtra({
        ...omitFields(body, translatedFields),
        ...(extraConfig === undefined ? undefined : { toolConfig: extraConfig }),
        ...(isEmpty(extraGeneration) ? undefined : { generationConfig: extraGeneration })
      })
    }
  })

/** `model` is the caller's, not said to the model. */
const translatedFields: ReadonlySet<string> = new Set([
  "contents",
  "generationConfig",
  "model",
  "serviceTier",
  "systemInstruction",
  "toolConfig",
  "tools"
])

type GenerationSettings = Pick<
  Conversation,
  "answers" | "format" | "logprobs" | "maxOutputTokens" | "reasoning" | "sampling" | "stop"
> & { readonly extra: Json }

const parseGenerationConfig = (body: Json): Parsed<GenerationSettings> =>
  Result.gen(function* () {
    const config = toCamelCase((yield* readObject(body, "generationConfig")) ?? {})
    const top = yield* readCount(config, "logprobs", path)
    const hasLogprobs = config["responseLogprobs"] === true
    return {
      sampling: yield* parseSampling(config),
      stop: (yield* readTexts(config, "stopSequences", path)) ?? [],
      ...omitUndefined({
        maxOutputTokens: yield* readCount(config, "maxOutputTokens", path),
        format: parseFormat(config),
        reasoning: yield* parseThinkingConfig(config["thinkingConfig"], [
          ...path,
          "thinkingConfig"
        ]),
        answers: yield* readCount(config, "candidateCount", path),
        logprobs: hasLogprobs ? { top: top ?? 0 } : undefined
      }),
      extra: {
        ...omitFields(config, generationFields),
        ...(hasLogprobs || top === undefined ? undefined : { logprobs: top })
      }
    }
  })

const path: ReadonlyArray<string> = ["generationConfig"]

/** `responseSchema` stays in the request as it was. */
const generationFields: ReadonlySet<string> = new Set([
  "candidateCount",
  "frequencyPenalty",
  "logprobs",
  "maxOutputTokens",
  "presencePenalty",
  "responseJsonSchema",
  "responseLogprobs",
  "responseMimeType",
  "seed",
  "stopSequences",
  "temperature",
  "thinkingConfig",
  "topK",
  "topP"
])

const parseSampling = (config: Json): Parsed<Sampling> =>
  Result.gen(function* () {
    return omitUndefined({
      temperature: yield* readNumber(config, "temperature", path),
      topP: yield* readNumber(config, "topP", path),
      topK: yield* readNumber(config, "topK", path),
      frequencyPenalty: yield* readNumber(config, "frequencyPenalty", path),
      presencePenalty: yield* readNumber(config, "presencePenalty", path),
      seed: yield* readNumber(config, "seed", path)
    })
  })

const parseFormat = (config: Json): AnswerFormat | undefined => {
  const type = findField(config, "responseMimeType")
  const { responseJsonSchema, responseSchema } = config
  if (type !== undefined && type !== jsonType && type !== textType) {
    const raw = omitUndefined({ responseMimeType: type, responseJsonSchema })
    return { type: "opaque", dialect: "gemini", raw }
  }
  if (isObject(responseJsonSchema)) return { type: "schema", schema: responseJsonSchema }
  if (isObject(responseSchema)) return { type: "schema", schema: fromGeminiSchema(responseSchema) }
  if (type === jsonType) return { type: "json" }
  return type === textType ? { type: "text" } : undefined
}

export const jsonType = "application/json"
export const textType = "text/plain"

const toServiceTier = (tier: string | undefined): string | undefined => {
  if (tier === "unspecified") return undefined
  return tier === "standard" ? "default" : tier
}

/** Thoughts are shown only to those that ask for them. */
const parseThinkingConfig = (
  config: unknown,
  path: ReadonlyArray<string>
): Result.Result<ReasoningSettings | undefined, UntranslatableRequest> =>
  Result.gen(function* () {
    if (!isObject(config)) return undefined
    const fields = toCamelCase(config)
    const budget = yield* readNumber(fields, "thinkingBudget", path)
    const level = yield* readText(fields, "thinkingLevel", path)
    const shown = { isExcluded: fields["includeThoughts"] !== true }
    if (budget === 0) return { isEnabled: false }
    return {
      ...(level === undefined || level === "THINKING_LEVEL_UNSPECIFIED"
        ? undefined
        : { effort: level.toLowerCase() }),
      ...(budget === undefined
        ? undefined
        : budget < 0
          ? { isEnabled: true }
          : { maxTokens: budget }),
      ...shown
    }
  })
