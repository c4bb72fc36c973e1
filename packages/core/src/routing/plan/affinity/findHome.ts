/** Finds the candidate to which the key of a conversation leads, even if its endpoint is unhealthy. */
import { hashText } from "../../../values/hashText.ts"
import { isByok } from "../../Candidate.ts"
import type { RejectedCandidate } from "../../Reason.ts"
import type { Requirements } from "../../Requirements.ts"
import type { RankedCandidate } from "../ranking/rankCandidates.ts"
import { estimateCost } from "../selectPrices.ts"
import { type Contender, computeWeight } from "../strategies/strategies.ts"

/**
 * An exponential race: contender i finishes after -ln(u) / w, with u from a hash of the key and its id and w = 1 / price².
 * It wins with probability w / Σw, as the price-weighted draw has it, and the absence of a contender moves only the
 * conversations that it had won. `shift` takes the one that finishes so many places later, around the end.
 */
export const findRaceWinner = <A extends Contender>(
  contenders: ReadonlyArray<A>,
  key: number,
  shift = 0
): A => {
  let lowestCost = Infinity
  for (const { cost } of contenders) lowestCost = Math.min(lowestCost, cost)
  if (shift > 0) return findLaterFinisher(contenders, key, shift, lowestCost)
  let winner = contenders[0]!
  let least = Infinity
  for (const contender of contenders) {
    const time = computeFinishTime(contender, key, lowestCost)
    if (time < least) {
      least = time
      winner = contender
    }
  }
  return winner
}

/** The time is infinite for a contender that a price-weighted draw never chooses. */
const computeFinishTime = (
  { candidate, cost }: Contender,
  key: number,
  lowestCost: number
): number => {
  const weight = computeWeight(cost, lowestCost)
  // Between 0 and 1, and neither of them.
  const uniform = ((hashText(key, candidate.id) >>> 0) + 0.5) / 4_294_967_296
  return weight === 0 ? Infinity : -Math.log(uniform) / weight
}

const findLaterFinisher = <A extends Contender>(
  contenders: ReadonlyArray<A>,
  key: number,
  shift: number,
  lowestCost: number
): A => {
  const finishers = contenders
    .map((contender) => ({ contender, time: computeFinishTime(contender, key, lowestCost) }))
    .filter(({ time }) => time < Infinity)
    .toSorted((self, that) => self.time - that.time)
  return finishers[shift % finishers.length]!.contender
}

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
