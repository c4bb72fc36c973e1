/** Tokens that were used, as a schema. */
import * as Schema from "effect/Schema"
import type { TokenUsage as Usage } from "../values/TokenUsage.ts"
import { type FieldsOf, number } from "./fieldsOf.ts"

export const TokenUsage = Schema.Struct({
  inputTokens: Schema.Finite,
  outputTokens: Schema.Finite,
  requests: number,
  images: number,
  cachedTokens: number,
  cacheWriteTokens: number,
  audioTokens: number,
  audioOutputTokens: number,
  imageOutputTokens: number,
  webSearches: number,
  reasoningTokens: number
} satisfies FieldsOf<Usage>)
