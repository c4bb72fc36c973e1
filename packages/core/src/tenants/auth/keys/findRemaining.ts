/** The limit of a key in the ledger, and what the ledger still grants under it. */
import * as Effect from "effect/Effect"
import type { Calendar } from "../../../engine/ledger/Calendar.ts"
import type { LedgerStore } from "../../../engine/ledger/LedgerStore.ts"
import { type LimitDefinition, resolveLimit } from "../../../engine/ledger/Limit.ts"
import * as Subject from "../../../engine/ledger/Subject.ts"
import * as NanoUsd from "../../../values/usage/NanoUsd.ts"
import type { Caller } from "../Caller.ts"
import type { KeyLimit } from "./KeyLimit.ts"

/** A user of the host's own authentication has no key, so the user is the subject. */
export const toKeyCap = (
  caller: Caller,
  { cap, includesByok, reset, soft }: KeyLimit
): LimitDefinition => {
  const subject = Subject.fromCaller(caller)
  return {
    kind: "key",
    id: JSON.stringify([caller.account, subject]),
    subject,
    interval: reset ?? "lifetime",
    cap,
    countsByok: includesByok,
    ...(soft === true ? { soft } : undefined)
  }
}

/**
 * What a request of the caller may cost at most, as far as its own limit goes; undefined without one. The figures of
 * `SpendCounters` do not tell: some may be lost or not yet written, and they leave out what running requests hold.
 */
export const findRemaining = (
  ledger: LedgerStore["Service"],
  calendar: Calendar,
  caller: Caller,
  now: number
): Effect.Effect<NanoUsd.NanoUsd | undefined> =>
  caller.limit === undefined
    ? Effect.undefined
    : Effect.map(
        ledger.getUsage(resolveLimit(calendar, now, toKeyCap(caller, caller.limit))),
        toRemaining(caller.limit.cap)
      )

const toRemaining =
  (cap: NanoUsd.NanoUsd) =>
  ({ reserved, settled }: Record<"reserved" | "settled", NanoUsd.NanoUsd>): NanoUsd.NanoUsd =>
    NanoUsd.max(NanoUsd.make(cap - settled - reserved), NanoUsd.zero)
