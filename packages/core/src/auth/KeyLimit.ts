/** What a key may spend between two resets, and what is left of it. */
import { type Spend, toSpentAmount } from "../ledger/SpendCounters.ts"
import * as NanoUsd from "../values/usage/NanoUsd.ts"
import type { ApiKey } from "./ApiKey.ts"

/** How much a key may spend between two resets. */
export interface KeyLimit {
  readonly cap: NanoUsd.NanoUsd
  /** When spending counts from zero again, in UTC, weeks from Monday; null: never. */
  readonly reset: ApiKey["limit_reset"]
  /** Whether what is spent on the account's own provider credentials counts too. */
  readonly includesByok: boolean
}

/** Undefined for a key that may spend as much as its account has. */
export const toKeyLimit = ({
  include_byok_in_limit,
  limit,
  limit_reset
}: ApiKey): KeyLimit | undefined =>
  limit === null
    ? undefined
    : {
        cap: NanoUsd.fromUsdNumber(limit),
        reset: limit_reset,
        includesByok: include_byok_in_limit
      }

export const computeRemaining = (
  { cap, includesByok, reset }: KeyLimit,
  spend: Spend
): NanoUsd.NanoUsd => {
  const spent = toSpentAmount(spend, { countsByok: includesByok, interval: reset ?? "lifetime" })
  return NanoUsd.max(NanoUsd.make(cap - spent), NanoUsd.zero)
}
