/** Gives the candidates of a plan the prices that apply to its prompt at its time. */
import { selectPrice } from "../../engine/catalog/endpoint/Price.ts"
import type { PricedMoment } from "../../engine/catalog/endpoint/PriceOverride.ts"
import type { Candidate } from "../Candidate.ts"
import type { Requirements } from "../Requirements.ts"

/** Most endpoints have one price, and most plans no other. */
export const selectPrices = (
  candidates: ReadonlyArray<Candidate>,
  promptTokens: number,
  at: number
): ReadonlyArray<Candidate> => {
  if (!candidates.some(isConditional)) return candidates
  const moment: PricedMoment = { promptTokens, at }
  return candidates.map((candidate) =>
    isConditional(candidate)
      ? { ...candidate, price: selectPrice(candidate.price, moment) }
      : candidate
  )
}

const isConditional = ({ price }: Candidate): boolean => price.conditional !== undefined

/** Infinity when a price is unknown, so that the candidate comes last. */
export const estimateCost = ({ price }: Candidate, requirements: Requirements): number => {
  const { character, completion, image, prompt, request, second } = price.approximate
  const {
    audioMillis = 0,
    characters = 0,
    images = 0,
    inputTokens,
    outputTokens,
    expectedOutputTokens = outputTokens
  } = requirements
  const cost =
    (inputTokens === 0 ? 0 : inputTokens * prompt) +
    (expectedOutputTokens === 0 ? 0 : expectedOutputTokens * completion) +
    (images === 0 ? 0 : images * image) +
    (characters === 0 ? 0 : characters * character) +
    (audioMillis === 0 ? 0 : (audioMillis / 1_000) * second) +
    request
  return Number.isNaN(cost) ? Number.POSITIVE_INFINITY : cost
}
