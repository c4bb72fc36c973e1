/** Places a conversation among candidates by its key alone, so that all processes agree without talking. */
import { hashText } from "../../../values/hashText.ts"
import { computeWeight } from "../strategies/drawByPrice.ts"
import type { Contender } from "../strategies/Strategy.ts"

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
