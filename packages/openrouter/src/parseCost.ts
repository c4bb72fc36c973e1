/** Parses the cost that an answer reports, in USD. */
import { NanoUsd } from "@signalbox/core/upstream"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/** An invalid cost is omitted, so that the price list decides, rather than failing the answer. */
export const parseCost = (cost: unknown): NanoUsd.NanoUsd | undefined =>
  Option.getOrUndefined(Option.map(decodeCost(cost), NanoUsd.fromUsdNumber))

const decodeCost = Schema.decodeUnknownOption(
  Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000 }))
)
