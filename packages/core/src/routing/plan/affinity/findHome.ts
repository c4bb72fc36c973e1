/** Finds the candidate to which the key of a conversation leads, even if its endpoint is unhealthy. */
import { isByok } from "../../Candidate.ts"
import type { RejectedCandidate } from "../../Reason.ts"
import type { Requirements } from "../../Requirements.ts"
import { estimateCost } from "../estimateCost.ts"
import type { RankedCandidate } from "../ranking/rankCandidates.ts"
import type { Contender } from "../strategies/Strategy.ts"
import { findRaceWinner } from "./findRaceWinner.ts"

/**
 * The winner of the race among the shared candidates of the first group. Candidates that a breaker blocks take part:
 * while the winner is unavailable, its conversations are pinned elsewhere, and stay there when it recovers.
 * `onlyModel`: the group has only that model. Undefined: no candidate takes part.
 */
export const findHome = (
  ranked: ReadonlyArray<RankedCandidate>,
  blocked: ReadonlyArray<RejectedCandidate>,
  requirements: Requirements,
  key: number,
  onlyModel: string | undefined
): string | undefined => {
  let contenders: ReadonlyArray<Contender> = ranked
  if (!ranked.every(isShared)) contenders = ranked.filter(isShared)
  if (blocked.length > 0) {
    const others = blocked.flatMap(({ candidate }) =>
      isByok(candidate) || candidate.endpoint.model !== (onlyModel ?? candidate.endpoint.model)
        ? []
        : [{ candidate, cost: estimateCost(candidate, requirements) }]
    )
    contenders = [...contenders, ...others]
  }
  return contenders.length === 0 ? undefined : findRaceWinner(contenders, key).candidate.id
}

const isShared = ({ credentialPriority, group }: RankedCandidate): boolean =>
  group === 0 && credentialPriority === 0
