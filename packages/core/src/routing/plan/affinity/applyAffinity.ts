/** Puts the candidate of a conversation before those it competes with. */
import { findContenders, moveFirst, type RankedCandidate } from "../ranking/rankCandidates.ts"
import type { Affinity } from "./Affinity.ts"
import { findRaceWinner } from "./findHome.ts"

/**
 * The candidate of the last success goes first in its group if it stands among the contenders and has no penalty. Otherwise
 * the race decides where the strategy draws by price (`isRaced`). Undefined when neither has a say. Nothing is added or
 * removed, and nothing passes a candidate with a smaller penalty, another credential priority or another model's turn.
 */
export const applyAffinity = (
  ranked: ReadonlyArray<RankedCandidate>,
  group: number,
  { key, pinned, shift = 0 }: Affinity,
  isRaced: boolean
): ReadonlyArray<RankedCandidate> | undefined => {
  const range = findContenders(ranked, group)
  if (range === undefined) return isRaced ? ranked : undefined
  const { end, start } = range
  const contenders = end - start === ranked.length ? ranked : ranked.slice(start, end)
  const last =
    pinned === undefined || shift > 0
      ? undefined
      : contenders.find(
          ({ candidate, effectivePenalty }) => candidate.id === pinned && effectivePenalty === 0
        )
  if (last !== undefined) return moveFirst(ranked, start, last)
  return isRaced ? moveFirst(ranked, start, findRaceWinner(contenders, key, shift)) : undefined
}
