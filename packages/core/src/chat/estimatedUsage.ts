/** What an answer used whose upstream does not say so, or did not come to say it. */
import type { TokenUsage } from "../values/TokenUsage.ts"
import { tokensOf } from "./contentSize.ts"

export interface Said {
  /** About how many tokens the prompt has. */
  readonly inputTokens: number
  /** How many pieces of an answer there were; none of one that came whole. */
  readonly pieces: number
  /** How many characters of text they held. */
  readonly characters: number
}

const unbounded: TokenUsage = { inputTokens: Infinity, outputTokens: Infinity }

/** A token at least for each piece, and never more than `worst`, which is what a budget has set aside. */
export const estimatedUsage = (
  { characters, inputTokens, pieces }: Said,
  worst: TokenUsage = unbounded
): TokenUsage => ({
  inputTokens: Math.min(inputTokens, worst.inputTokens),
  outputTokens: Math.min(Math.max(pieces, tokensOf(characters)), worst.outputTokens)
})
