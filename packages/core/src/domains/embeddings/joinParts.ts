/** Joins the answers to the parts of one request, which were asked one after the other at the same endpoint. */
import * as Result from "effect/Result"
import type { EmbeddingReply } from "../../engine/upstreams/EmbeddingCapability.ts"
import * as NanoUsd from "../../values/usage/NanoUsd.ts"
import { type TokenUsage, sumUsage } from "../../values/usage/TokenUsage.ts"
import type { CheckedVectors, Vector } from "./vectors/checkVectors.ts"

/** The checked answer to a part, or to the whole request. */
export interface EmbeddingPartAnswer
  extends CheckedVectors, Pick<EmbeddingReply, "cost" | "id" | "model" | "tokenDetails"> {
  readonly usage: TokenUsage
  /** `usage` is an estimate, because the upstream reports none. */
  readonly isEstimated: boolean
}

/**
 * Joins the vectors in order and adds usage and cost. The id comes from the first part, the model from the last. Fails
 * when the parts have vectors of different lengths.
 */
export const joinParts = (
  first: EmbeddingPartAnswer,
  others: ReadonlyArray<EmbeddingPartAnswer>
): Result.Result<EmbeddingPartAnswer, string> => {
  const vectors: Array<Vector> = [...first.vectors]
  let joined = first
  for (const part of others) {
    if (part.dimensions !== first.dimensions) {
      return Result.fail(`a vector of ${part.dimensions} numbers in place of ${first.dimensions}`)
    }
    // Spread as arguments, a long list would exceed the stack.
    for (const vector of part.vectors) vectors.push(vector)
    joined = addPart(joined, part)
  }
  return Result.succeed(others.length === 0 ? first : { ...joined, vectors })
}

const addPart = (
  { cost, id, model, tokenDetails, ...joined }: EmbeddingPartAnswer,
  part: EmbeddingPartAnswer
): EmbeddingPartAnswer => {
  const lastModel = part.model ?? model
  const details = sumDetails(tokenDetails, part.tokenDetails)
  return {
    ...joined,
    usage: sumUsage(joined.usage, part.usage),
    isEstimated: joined.isEstimated || part.isEstimated,
    // If only some parts have a cost, the price list decides.
    ...(cost === undefined || part.cost === undefined
      ? undefined
      : { cost: NanoUsd.sum(cost, part.cost) }),
    ...(id === undefined ? undefined : { id }),
    ...(lastModel === undefined ? undefined : { model: lastModel }),
    ...(details === undefined ? undefined : { tokenDetails: details })
  }
}

/** Undefined unless both parts tell them. */
const sumDetails = (
  self: EmbeddingReply["tokenDetails"],
  that: EmbeddingReply["tokenDetails"]
): EmbeddingReply["tokenDetails"] => {
  if (self === undefined || that === undefined) return undefined
  const names = new Set([...Object.keys(self), ...Object.keys(that)])
  return Object.fromEntries(
    Array.from(names, (name) => [name, getDetail(self, name) + getDetail(that, name)])
  )
}

const getDetail = (details: Readonly<Record<string, number>>, name: string): number =>
  Object.hasOwn(details, name) ? (details[name] ?? 0) : 0
