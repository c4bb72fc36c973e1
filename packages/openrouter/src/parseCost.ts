/** Parses the cost that an answer reports, in USD. */
import { NanoUsd } from "@signalbox/core/upstream"
import { isAtLeastZero } from "./jsonChecks.ts"

/** An invalid cost is omitted, so that the price list decides, rather than failing the answer. */
export const parseCost = (cost: unknown): NanoUsd.NanoUsd | undefined =>
  isAtLeastZero(cost) && cost <= maxCost ? NanoUsd.fromUsdNumber(cost) : undefined

const maxCost = 1_000_000
