/** The order in which a router tries the endpoints of the models it stands for. */
import { hashText } from "../../../values/hashText.ts"
import type { Router } from "../../../engine/catalog/model/Model.ts"
import type { Candidate } from "../../Candidate.ts"

interface RouterSort {
  /** Makes the draw of a request; the same seed draws the same. */
  readonly seed: number
  /** The expected cost of the request in USD. */
  readonly toCost: (candidate: Candidate) => number
  /** The sort that the request asks for, which orders the endpoints of a model; absent: their cost does. */
  readonly toSortKey?: (candidate: Candidate) => number
}

/**
 * What is compared, smaller first; equal values are ordered by cost. Each model is drawn by a hash of its own, so that one
 * that is left out moves no other.
 */
export const makeRouterSortKey = (
  { kind }: Router,
  candidates: ReadonlyArray<Candidate>,
  { seed, toCost, toSortKey }: RouterSort
): ((candidate: Candidate) => number) => {
  if (kind === "cheapest" && toSortKey === undefined) return toZero
  const modelRanks = new Map<string, number>()
  for (const candidate of candidates) {
    const { model } = candidate.endpoint
    const rank = kind === "random" ? hashText(seed, model) >>> 0 : toCost(candidate)
    modelRanks.set(model, Math.min(modelRanks.get(model) ?? Infinity, rank))
  }
  const toModelRank = ({ endpoint }: Candidate): number =>
    modelRanks.get(endpoint.model) ?? Infinity
  if (toSortKey === undefined) return toModelRank
  const ordered = candidates
    .map((candidate) => ({ candidate, rank: toModelRank(candidate), key: toSortKey(candidate) }))
    .toSorted((one, other) => compare(one.rank, other.rank) || compare(one.key, other.key))
  const places = new Map<string, number>()
  let place = 0
  for (const [at, { candidate, key, rank }] of ordered.entries()) {
    const before = ordered[at - 1]
    if (before !== undefined && (before.rank !== rank || before.key !== key)) place = at
    places.set(candidate.id, place)
  }
  return ({ id }) => places.get(id) ?? Infinity
}

const toZero = (): number => 0

/** Unlike a difference, also for infinities. */
const compare = (one: number, other: number): number => (one < other ? -1 : one > other ? 1 : 0)
