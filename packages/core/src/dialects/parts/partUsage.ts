/** Tokens in the fields that libraries have for them. */
import type { TokenUsage } from "../../values/usage/TokenUsage.ts"

type Counts<Names extends string> = Readonly<Record<Names, number | undefined>>

/** Undefined: unknown. */
interface PartUsage {
  readonly inputTokens: Counts<"cacheRead" | "cacheWrite" | "total" | "uncached">
  readonly outputTokens: Counts<"reasoning" | "text" | "total">
}

export const toPartUsage = (tokens: TokenUsage | undefined): PartUsage => {
  const { cachedTokens, cacheWriteTokens, inputTokens, outputTokens, reasoningTokens } =
    tokens ?? {}
  return {
    inputTokens: {
      total: inputTokens,
      uncached: subtract(inputTokens, (cachedTokens ?? 0) + (cacheWriteTokens ?? 0)),
      cacheRead: cachedTokens,
      cacheWrite: cacheWriteTokens
    },
    outputTokens: {
      total: outputTokens,
      text: subtract(outputTokens, reasoningTokens),
      reasoning: reasoningTokens
    }
  }
}

const subtract = (total: number | undefined, part: number | undefined): number | undefined =>
  total === undefined || part === undefined ? undefined : total - part
