/** Tokens that were used, as a schema. */
import * as Schema from "effect/Schema"
import type { TokenUsage as Usage } from "../values/usage/TokenUsage.ts"
import { type FieldsOf, optionalNumber } from "./codecFields.ts"

export const TokenUsage = Schema.Struct({
  inputTokens: Schema.Finite,
  outputTokens: Schema.Finite,
  requests: optionalNumber,
  images: optionalNumber,
  cachedTokens: optionalNumber,
  cacheWriteTokens: optionalNumber,
  audioTokens: optionalNumber,
  audioOutputTokens: optionalNumber,
  imageOutputTokens: optionalNumber,
  webSearches: optionalNumber,
  reasoningTokens: optionalNumber
} satisfies FieldsOf<Usage>)
