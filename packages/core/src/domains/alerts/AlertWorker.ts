/** Passes alerts to the host's function and broadcast, and purges what is old. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import { DurableJobs } from "../../engine/jobs/DurableJobs.ts"
import { AlertStore } from "../../engine/observability/alerts/AlertStore.ts"
import { Broadcast } from "../../engine/observability/broadcast/Broadcast.ts"
import { ObservabilityPreferences } from "../../engine/observability/broadcast/ObservabilityPreferences.ts"
import { Settings } from "../../instance/Settings.ts"
import { AccountId, WorkspaceId } from "../../values/ids/Ids.ts"
import { CurrentAlertConfig } from "./AlertOptions.ts"
import { alertStepKind } from "./alertStep.ts"

const worker = Effect.gen(function* () {
  const config = yield* CurrentAlertConfig
  if (config === undefined) return
  const broadcast = yield* Broadcast
  const jobs = yield* DurableJobs
  const preferences = yield* ObservabilityPreferences
  const { alertRetentionMillis } = yield* Settings
  const store = yield* AlertStore

  yield* jobs.work(alertStepKind, {
    run: Effect.fnUntraced(function* ({ id }) {
      const alert = yield* store.find(id)
      if (alert === undefined) return
      const { onAlert } = config
      if (onAlert !== undefined) yield* Effect.promise(async () => onAlert(alert))
      const preference = yield* preferences.get(
        AccountId.make(alert.account),
        WorkspaceId.make(alert.workspace_id)
      )
      if (preference.broadcast) broadcast.offerAlert(alert)
    }),
    onExhausted: () => Effect.void
  })

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

/** Runs until the Signalbox instance is closed. */
export const layerAlertWorker = Layer.effectDiscard(worker)
