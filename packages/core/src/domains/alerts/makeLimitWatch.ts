/** Checks limits a moment after money was settled under them, beside requests. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import { toCounterKey } from "../../engine/ledger/Limit.ts"
import type { SettledLimit, SettledLimits } from "../../engine/ledger/SettledLimits.ts"
import { SpendCounters } from "../../engine/ledger/SpendCounters.ts"
import { Settings } from "../../instance/Settings.ts"
import { startTimer } from "../../values/startTimer.ts"
import type { AlertConfig } from "./AlertOptions.ts"
import { AlertRuleStore } from "./AlertRuleStore.ts"
import { makeCheckLimit, toHostRule } from "./checkLimit.ts"

/** Watches until the scope closes, and then checks what was settled last. */
export const makeLimitWatch = Effect.fnUntraced(function* (
  { thresholds }: AlertConfig,
  settledLimits: SettledLimits
) {
  const { alertDelayMillis, storeTimeoutMillis } = yield* Settings
  const checkLimit = yield* makeCheckLimit
  const clock = yield* Clock.Clock
  const counters = yield* SpendCounters
  const rules = yield* AlertRuleStore
  const run = Effect.runForkWith(yield* Effect.context())
  const oneAtATime = Semaphore.makeUnsafe(1).withPermits(1)
  const hostRule = toHostRule(thresholds)

  const checkAccount = Effect.fnUntraced(function* (settled: ReadonlyArray<SettledLimit>) {
    const [first] = settled
    if (first === undefined) return
    const watching = [...hostRule, ...(yield* rules.listAll(first.account))]
    yield* Effect.forEach(settled, (each) => checkLimit(each, watching), { discard: true })
  })

  const check = Effect.suspend(() => {
    const byAccount = Map.groupBy(
      withoutRepetitions(settledLimits.take()),
      ({ account }) => account
    )
    return Effect.andThen(
      counters.flush(),
      Effect.forEach(
        byAccount.values(),
        (settled) =>
          Effect.catchCause(checkAccount(settled), (cause) =>
            // The next settlement under a limit finds the thresholds that this check missed.
            Effect.logError(
              "Alerts about limits could not be raised; the next cost under them tries again",
              cause
            )
          ),
        { concurrency, discard: true }
      )
    )
  }).pipe(oneAtATime, Effect.withTracerEnabled(false))

  settledLimits.onFirst = () => void startTimer(clock, alertDelayMillis, () => void run(check))
  yield* Effect.addFinalizer(() =>
    Effect.suspend(() => {
      settledLimits.onFirst = () => {}
      return settledLimits.isEmpty
        ? Effect.void
        : Effect.timeoutOrElse(Effect.interruptible(check), {
            duration: storeTimeoutMillis,
            orElse: () => Effect.logWarning("alerts were not raised before the instance closed")
          })
    })
  )
})

/** The latest object of a limit has the latest cap. */
const withoutRepetitions = (settled: ReadonlyArray<SettledLimit>): ReadonlyArray<SettledLimit> => {
  const byKey = new Map<string, SettledLimit>()
  for (const each of settled) {
    const key = JSON.stringify([each.account, toCounterKey(each.limit)])
    const hasRefused = each.hasRefused || byKey.get(key)?.hasRefused === true
    byKey.set(key, { ...each, hasRefused })
  }
  return Array.from(byKey.values())
}

/** Accounts that are checked at the same time. */
const concurrency = 8
