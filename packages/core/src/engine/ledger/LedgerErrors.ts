/** Errors of the ledger. */
import * as Data from "effect/Data"
import type { NanoUsd } from "../../values/usage/NanoUsd.ts"
import type { Limit } from "./Limit.ts"

/** How a caller can reduce the reserved amount. */
export interface ReductionHint {
  /** The parameter that limits the answer, such as `max_tokens`. */
  readonly parameter: string
  /** Whether the request contains the parameter. */
  readonly isSent: boolean
  /** The output tokens the amount was computed from. */
  readonly outputTokens: number
  /** The most output tokens that would fit, at least 1; undefined when none would. */
  readonly affordableTokens: number | undefined
}

/** What running requests hold of a limit. */
export interface HeldAmount {
  readonly amount: NanoUsd
  /** How many of them there are. */
  readonly reservations: number
}

/** Reserving `amount` would exceed the cap of `limit`; `available` is the rest of that cap. */
export class LimitExceeded extends Data.TaggedError("LimitExceeded")<{
  readonly limit: Limit
  readonly amount: NanoUsd
  readonly available: NanoUsd
  /** The amount reserved of the limit; absent: nothing is reserved, or the store does not report it. */
  readonly held?: HeldAmount
  /** Input tokens of `amount` that tools of the provider may read; absent: the request has no such tools. */
  readonly readableTokens?: number
  readonly reductionHint?: ReductionHint
}> {}
