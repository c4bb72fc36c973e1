/** Passes alerts to the host's function and broadcast. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { DurableJobs } from "../../engine/jobs/DurableJobs.ts"
import { AlertStore } from "../../engine/observability/alerts/AlertStore.ts"
import { Pipeline } from "../../engine/observability/broadcast/Pipeline.ts"
import { ObservabilityPreferences } from "../../engine/observability/broadcast/ObservabilityPreferences.ts"
import { AccountId, WorkspaceId } from "../../values/ids/Ids.ts"
import { CurrentAlertConfig } from "./CurrentAlertConfig.ts"
import { alertStepKind } from "./alertStep.ts"

const worker = Effect.gen(function* () {
  const config = yield* CurrentAlertConfig
  if (config === undefined) return
  const pipeline = yield* Pipeline
  const jobs = yield* DurableJobs
  const preferences = yield* ObservabilityPreferences
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
      if (preference.broadcast) pipeline.offerAlert(alert)
    }),
    onExhausted: () => Effect.void
  })
})

/** Runs until the Signalbox instance is closed. */
export const layerAlertWorker = Layer.effectDiscard(worker)
