/** What an answer used whose upstream does not say so, or did not come to say it. */
import type { TokenUsage } from "../values/usage/TokenUsage.ts"
import { estimateTextTokens } from "./contentSize.ts"

export interface AnswerSize {
  /** About how many tokens the prompt has. */
  readonly inputTokens: number
  /** How many pieces of an answer there were; none of one that came whole. */
  readonly pieces: number
  /** How many characters of text they held. */
  readonly characters: number
}

const unbounded: TokenUsage = { inputTokens: Infinity, outputTokens: Infinity }

/** A token at least for each piece, and never more than `worst`, which is what a budget has set aside. */
export const estimateUsage = (
  { characters, inputTokens, pieces }: AnswerSize,
  worstCase: TokenUsage = unbounded
): TokenUsage => ({
  inputTokens: Math.min(inputTokens, worstCase.inputTokens),
  outputTokens: Math.min(Math.max(pieces, estimateTextTokens(characters)), worstCase.outputTokens)
})
