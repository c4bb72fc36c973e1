/** Watches limits and providers for a host with `alerts`, and purges old alerts, until the instance is closed. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import { CurrentSettledLimits } from "../../engine/ledger/SettledLimits.ts"
import { AlertStore } from "../../engine/observability/alerts/AlertStore.ts"
import { Settings } from "../../instance/Settings.ts"
import { CurrentAlertConfig } from "./AlertOptions.ts"
import { makeHealthWatch } from "./makeHealthWatch.ts"
import { makeLimitWatch } from "./makeLimitWatch.ts"

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
