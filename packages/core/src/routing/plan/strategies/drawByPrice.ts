/** Draws a contender with probability proportional to 1 / price^2. */
import type { Contender } from "./Strategy.ts"

/**
 * `draw` is from [0, 1). Free contenders, if there are any, share the draw evenly; one of unknown price is drawn only when
 * all are unknown. Undefined when only `except` could be drawn. `contenders` are cheapest first, and not empty.
 */
export const drawByPrice = <A extends Contender>(
  contenders: ReadonlyArray<A>,
  draw: number,
  except?: A
): A | undefined => {
  const lowestCost = contenders[0]!.cost
  let left = 0
  for (const each of contenders) if (each !== except) left += computeWeight(each.cost, lowestCost)
  left *= draw
  let fallback: A | undefined
  for (const each of contenders) {
    const weight = each === except ? 0 : computeWeight(each.cost, lowestCost)
    if (weight === 0) continue
    left -= weight
    if (left < 0) return each
    // The weights may add up to less than their sum.
    fallback ??= each
  }
  return fallback
}

/** Relative to the cheapest, so that tiny prices do not underflow. */
export const computeWeight = (cost: number, lowestCost: number): number => {
  if (cost === lowestCost) return 1
  return lowestCost === 0 || cost === Number.POSITIVE_INFINITY ? 0 : (lowestCost / cost) ** 2
}
