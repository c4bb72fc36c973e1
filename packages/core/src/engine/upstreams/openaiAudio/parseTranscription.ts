/** Parses an untrusted answer of a transcription in the form of OpenAI or OpenRouter. */
import * as Result from "effect/Result"
import { isObject, toList } from "../../../values/json/guards.ts"
import { omitUndefined } from "../../../values/ownFields.ts"
import { parseCount, type TokenUsage } from "../../../values/usage/TokenUsage.ts"
import { findEmbeddedFailure } from "../failures/findEmbeddedFailure.ts"
import { UpstreamFailure } from "../failures/UpstreamFailure.ts"
import type { CostParser } from "../openaiChat/parseChatUsage.ts"
import type {
  TranscriptionReply,
  TranscriptSegment,
  TranscriptToken,
  TranscriptWord
} from "../TranscriptionCapability.ts"

type Json = Readonly<Record<string, unknown>>

/** The usage is a `duration` with `seconds`, or `tokens`, or both; the length is in `duration` too. */
export const parseTranscription = (
  json: unknown,
  parseCost?: CostParser
): Result.Result<TranscriptionReply, UpstreamFailure> => {
  if (!isObject(json)) return invalid("the answer is not a JSON object")
  const reported = isObject(json["usage"]) ? json["usage"] : {}
  const usage = parseTokens(reported)
  const inside = findEmbeddedFailure(json, usage)
  if (inside !== undefined) return Result.fail(inside)
  const { text } = json
  if (typeof text !== "string") return invalid("the answer has no text", usage)
  const segments = json["segments"] == null ? undefined : parseAll(json["segments"], parseSegment)
  const logprobs = json["logprobs"] == null ? undefined : parseAll(json["logprobs"], parseToken)
  const words = json["words"] == null ? undefined : parseAll(json["words"], parseWord)
  return Result.succeed(
    omitUndefined({
      text,
      language: toText(json["language"]),
      seconds: toQuantity(reported["seconds"]) ?? toQuantity(json["duration"]),
      segments,
      words,
      confidence: toNumber(json["confidence"]),
      logprobs,
      usage,
      cost: parseCost?.(reported),
      model: toText(json["model"]),
      id: toText(json["id"])
    })
  )
}

const invalid = (detail: string, usage?: TokenUsage) =>
  Result.fail(
    new UpstreamFailure({
      kind: "invalid_answer",
      detail,
      ...(usage === undefined ? undefined : { usage })
    })
  )

const parseTokens = (usage: Json): TokenUsage | undefined => {
  const inputTokens = parseCount(usage["input_tokens"] ?? usage["prompt_tokens"])
  const outputTokens = parseCount(usage["output_tokens"] ?? usage["completion_tokens"])
  if (inputTokens === undefined || outputTokens === undefined) return undefined
  const details = usage["input_token_details"] ?? usage["prompt_tokens_details"]
  const audioTokens = isObject(details) ? parseCount(details["audio_tokens"]) : undefined
  return { inputTokens, outputTokens, ...(audioTokens ? { audioTokens } : undefined) }
}

const parseAll = <A>(list: unknown, parse: (item: Json) => A | undefined): ReadonlyArray<A> =>
  toList(list).flatMap((item) => (isObject(item) ? (parse(item) ?? []) : []))

const parseSegment = (item: Json): TranscriptSegment | undefined => {
  const start = toQuantity(item["start"])
  const end = toQuantity(item["end"])
  const id = parseCount(item["id"])
  const text = item["text"]
  if (start === undefined || end === undefined || id === undefined) return undefined
  if (typeof text !== "string") return undefined
  const tokens = Array.isArray(item["tokens"]) ? item["tokens"].flatMap(toIntegers) : undefined
  return omitUndefined({
    id,
    start,
    end,
    text,
    seek: toInteger(item["seek"]),
    speaker: toInteger(item["speaker"]),
    tokens,
    temperature: toNumber(item["temperature"]),
    avgLogprob: toNumber(item["avg_logprob"]),
    compressionRatio: toNumber(item["compression_ratio"]),
    noSpeechProb: toNumber(item["no_speech_prob"])
  })
}

const parseWord = (item: Json): TranscriptWord | undefined => {
  const start = toQuantity(item["start"])
  const end = toQuantity(item["end"])
  const word = item["word"]
  if (start === undefined || end === undefined || typeof word !== "string") return undefined
  return omitUndefined({
    word,
    start,
    end,
    confidence: toNumber(item["confidence"]),
    speaker: toInteger(item["speaker"])
  })
}

const parseToken = ({ bytes, logprob, token }: Json): TranscriptToken | undefined =>
  typeof token === "string" && typeof logprob === "number" && Number.isFinite(logprob)
    ? {
        token,
        logprob,
        ...(Array.isArray(bytes) ? { bytes: bytes.flatMap(toIntegers) } : undefined)
      }
    : undefined

const toText = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" && value.length <= 256 ? value : undefined

const toNumber = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isFinite(value) ? value : undefined

/** Old servers write numbers as text. */
const toQuantity = (value: unknown): number | undefined => {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value
  return typeof number === "number" && Number.isFinite(number) && number >= 0 ? number : undefined
}

const toInteger = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isSafeInteger(value) ? value : undefined

const toIntegers = (value: unknown): ReadonlyArray<number> =>
  typeof value === "number" && Number.isSafeInteger(value) ? [value] : []
