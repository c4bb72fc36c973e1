/** How the ledger refuses. */
import * as Data from "effect/Data"
import type { NanoUsd } from "../values/NanoUsd.ts"
import type { Limit } from "./Limit.ts"

/** Reserving `amount` would take `limit` beyond its cap; `available` is what is left of it. */
export class LimitExceeded extends Data.TaggedError("LimitExceeded")<{
  readonly limit: Limit
  readonly amount: NanoUsd
  readonly available: NanoUsd
}> {}
