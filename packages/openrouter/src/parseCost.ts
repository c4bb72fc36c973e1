/** The cost an answer states, in USD. */
import { NanoUsd } from "@signalbox/core/upstream"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/** A cost that cannot be one is no reason to lose an answer: it is left out, and the price decides. */
export const parseCost = (cost: unknown): NanoUsd.NanoUsd | undefined =>
  Option.getOrUndefined(Option.map(decodeCost(cost), NanoUsd.fromUsdNumber))

const decodeCost = Schema.decodeUnknownOption(
  Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000 }))
)
