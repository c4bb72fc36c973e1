/** How the ledger refuses. */
import * as Data from "effect/Data"
import type { NanoUsd } from "../values/usage/NanoUsd.ts"
import type { Limit } from "./Limit.ts"

/** What a caller can say to need less. */
export interface ReductionHint {
  /** The parameter that bounds the answer, such as `max_tokens`. */
  readonly parameter: string
  /** Whether the request says it. */
  readonly isSent: boolean
  /** How many tokens of answer are set aside. */
  readonly outputTokens: number
  /** With how many, 1 or more, it would find room; undefined: with none. */
  readonly affordableTokens: number | undefined
}

/** Reserving `amount` would take `limit` beyond its cap; `available` is what is left of it. */
export class LimitExceeded extends Data.TaggedError("LimitExceeded")<{
  readonly limit: Limit
  readonly amount: NanoUsd
  readonly available: NanoUsd
  readonly reductionHint?: ReductionHint
}> {}
