/** Writes to the audit log who labels, and how much. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { Audit } from "../../engine/observability/audit/Audit.ts"
import type { Caller } from "../../tenants/auth/Caller.ts"
import type { AccountId } from "../../values/ids/Ids.ts"
import { setMostRecent } from "../../values/setMostRecent.ts"
import { toLabeler, toLabelerKey } from "./Labeler.ts"

/**
 * An entry for the first Decision that a labeler labels within a day, the tenth, the hundredth and so on, as this process
 * counts: labels are given by the thousands, and one entry for each would bury all others.
 */
export const makeLabelAudit = Effect.gen(function* () {
  const audit = yield* Audit
  const counts = new Map<string, LabelCount>()

  return <E>(
    caller: Caller,
    account: AccountId,
    { labeled, weight }: { readonly labeled: number; readonly weight: number },
    store: Effect.Effect<void, E>
  ): Effect.Effect<void, E> =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const key = `${account} ${toLabelerKey(toLabeler(caller))}`
      const known = counts.get(key)
      const isFresh = known === undefined || now - known.since >= dayMillis
      const since = isFresh ? now : known.since
      const decisions = (isFresh ? 0 : known.decisions) + 1
      const answers = (isFresh ? 0 : known.answers) + labeled
      setMostRecent(counts, key, { since, decisions, answers }, maxLabelers)
      if (!isPowerOfTen(decisions)) return store
      return audit.change(
        { ...caller, account },
        "calibration.label",
        Effect.as(store, {
          result: undefined,
          target: account,
          after: { decisions, answers, weight }
        })
      )
    })
})

interface LabelCount {
  /** Milliseconds since the epoch. */
  readonly since: number
  readonly decisions: number
  readonly answers: number
}

const dayMillis = 86_400_000
const maxLabelers = 10_000

const isPowerOfTen = (count: number): boolean => /^10*$/.test(String(count))
