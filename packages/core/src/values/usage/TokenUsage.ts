/** The usage of one or more calls: counted by an upstream, or the maximum a call may use. */
import * as Record from "effect/Record"
import * as Schema from "effect/Schema"
import { optionalNumber } from "../schemaFields.ts"

const optionalCounts = {
  /** Input images; absent: none. */
  images: optionalNumber,
  /** The part of `inputTokens` read from a prompt cache; absent: none. */
  cachedTokens: optionalNumber,
  /** The part of `inputTokens` written to a prompt cache; absent: none. */
  cacheWriteTokens: optionalNumber,
  /** The part of `cacheWriteTokens` that the cache keeps for an hour, not for minutes; absent: none. */
  cacheWrite1hTokens: optionalNumber,
  /** The part of `inputTokens` that is audio; absent: none. */
  audioTokens: optionalNumber,
  /** The part of `outputTokens` that is audio; absent: none. */
  audioOutputTokens: optionalNumber,
  /** The part of `outputTokens` that is images; absent: none. */
  imageOutputTokens: optionalNumber,
  /** Characters of text to speak, in code points; absent: none. */
  characters: optionalNumber,
  /** The length of audio to transcribe, in whole milliseconds; absent: none. */
  audioMillis: optionalNumber,
  /** The part of `inputTokens` that is images; absent: unknown, or none. */
  imageTokens: optionalNumber,
  /** Images that were made; absent: none. */
  outputImages: optionalNumber,
  /** The pixels of `outputImages` together; absent: unknown, or none. */
  outputPixels: optionalNumber,
  /** Web searches of the provider; absent: none. */
  webSearches: optionalNumber,
  /** The part of `outputTokens` spent on reasoning; absent: unknown. */
  reasoningTokens: optionalNumber
}

/** The usage of one or more calls. */
export const TokenUsage = Schema.Struct({
  inputTokens: Schema.Finite,
  outputTokens: Schema.Finite,
  /** Calls, for prices per request; absent: one. */
  requests: optionalNumber,
  ...optionalCounts
})
export type TokenUsage = typeof TokenUsage.Type

export const getRequestCount = ({ requests = 1 }: TokenUsage): number => requests

export const getImageCount = ({ images = 0 }: TokenUsage): number => images

/** The usage of two calls together. */
export const sumUsage = (self: TokenUsage, that: TokenUsage): TokenUsage => {
  const sum: { -readonly [K in keyof TokenUsage]: TokenUsage[K] } = {
    inputTokens: self.inputTokens + that.inputTokens,
    outputTokens: self.outputTokens + that.outputTokens,
    requests: getRequestCount(self) + getRequestCount(that)
  }
  for (const name of optionalNames) {
    const one = self[name]
    const other = that[name]
    if (one !== undefined || other !== undefined) sum[name] = (one ?? 0) + (other ?? 0)
  }
  return sum
}

/** The usage without a part of it. */
export const subtractUsage = (self: TokenUsage, part: TokenUsage): TokenUsage => {
  const rest: { -readonly [K in keyof TokenUsage]: TokenUsage[K] } = {
    ...self,
    inputTokens: Math.max(0, self.inputTokens - part.inputTokens),
    outputTokens: Math.max(0, self.outputTokens - part.outputTokens)
  }
  for (const name of optionalNames) {
    const whole = self[name]
    if (whole !== undefined) rest[name] = Math.max(0, whole - (part[name] ?? 0))
  }
  return rest
}

const optionalNames = Record.keys(optionalCounts)

/** Counts are whole numbers from 0. */
export const isValidUsage = (usage: TokenUsage | undefined): usage is TokenUsage =>
  usage !== undefined &&
  isCount(usage.inputTokens) &&
  isCount(usage.outputTokens) &&
  isCount(getRequestCount(usage))

const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0

/** Undefined for a value that is not a whole number from 0. */
export const parseCount = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined

/** English text has about four bytes a token. */
const bytesPerToken = 4

/** Estimates the tokens of a text: for plans, and for answers whose provider reports no usage. */
export const estimateTextTokens = (bytes: number): number => Math.ceil(bytes / bytesPerToken)
