/** Watches limits and providers for a host with `alerts`, and purges old alerts, until the instance is closed. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as Semaphore from "effect/Semaphore"
import { toCounterKey } from "../../engine/ledger/Limit.ts"
import {
  CurrentSettledLimits,
  type SettledLimit,
  type SettledLimits
} from "../../engine/ledger/SettledLimits.ts"
import { SpendCounters } from "../../engine/ledger/SpendCounters.ts"
import { AlertStore } from "../../engine/observability/alerts/AlertStore.ts"
import { Settings } from "../../instance/Settings.ts"
import { startTimer } from "../../values/startTimer.ts"
import { type AlertConfig, CurrentAlertConfig } from "./CurrentAlertConfig.ts"
import { AlertRuleStore } from "./AlertRuleStore.ts"
import { makeCheckLimit, toHostRule } from "./checkLimit.ts"
import { makeHealthWatch } from "./makeHealthWatch.ts"

export const layerAlertWatch = Layer.effectDiscard(
  Effect.gen(function* () {
    const config = yield* CurrentAlertConfig
    const settledLimits = yield* CurrentSettledLimits
    if (config === undefined || settledLimits === undefined) return
    yield* makeLimitWatch(config, settledLimits)
    yield* makeHealthWatch(config)
    yield* purgeHourly
  })
)

/** Not a job of the worker, which does not start where no alert has a receiver. */
const purgeHourly = Effect.gen(function* () {
  const { alertRetentionMillis } = yield* Settings
  const store = yield* AlertStore
  yield* Clock.currentTimeMillis.pipe(
    // An expired claim is kept for as long as its alert: it says that the end of the condition is still to be reported.
    Effect.flatMap((now) => store.purge(now - alertRetentionMillis, now - alertRetentionMillis)),
    Effect.catchCause((cause) => Effect.logWarning("purging old alerts failed", cause)),
    Effect.delay("1 hour"),
    Effect.repeat(Schedule.forever),
    Effect.withTracerEnabled(false),
    Effect.forkScoped
  )
})

/** Watches until the scope closes, and then checks what was settled last. */
const makeLimitWatch = Effect.fnUntraced(function* (
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
