/** Tells alerts once, and lists them. */
import * as Clock from "effect/Clock"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { DurableJobs } from "../../engine/jobs/DurableJobs.ts"
import type { Alert } from "../../engine/observability/alerts/Alert.ts"
import { AlertStore } from "../../engine/observability/alerts/AlertStore.ts"
import { Pipeline } from "../../engine/observability/broadcast/Pipeline.ts"
import { Transaction } from "../../instance/Transaction.ts"
import { Deliveries } from "../../tenants/webhooks/Deliveries.ts"
import { Workspaces } from "../../tenants/workspaces/Workspaces.ts"
import { CurrentAlertConfig } from "./CurrentAlertConfig.ts"
import { Alerts, type NewAlert } from "./Alerts.ts"
import { alertStepKind } from "./alertStep.ts"

export const layerAlerts = Layer.effect(
  Alerts,
  Effect.gen(function* () {
    const config = yield* CurrentAlertConfig
    const pipeline = yield* Pipeline
    const deliveries = yield* Deliveries
    const jobs = yield* DurableJobs
    const store = yield* AlertStore
    const { withTransaction } = yield* Transaction
    const workspaces = yield* Workspaces
    const hasHostReceiver = config?.onAlert !== undefined || pipeline.receivesAlerts

    const tell = Effect.fnUntraced(function* (made: NewAlert) {
      const at = yield* Clock.currentTimeMillis
      const id = `alert-${SecureRandom.uuidV7Unsafe()}`
      const alert: Alert = { id, created_at: new Date(at).toISOString(), ...made }
      yield* store.add(alert)
      const { account, type, workspace_id: workspace } = alert
      yield* deliveries.offer({ account, workspace, id, type, at, data: alert })
      if (hasHostReceiver) {
        yield* jobs.offer(alertStepKind, { id, key: `${id}-notify`, payload: { id } })
      }
    })

    /** `first` says whether this process is the one that tells. */
    const tellIf = (first: Effect.Effect<boolean>, alert: NewAlert) =>
      withTransaction(Effect.tap(first, (isFirst) => (isFirst ? tell(alert) : Effect.void)))

    return {
      raise: (claim, alert) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => tellIf(store.claim(claim, now), alert)),
      resolve: (key, alert) => tellIf(store.release(key), alert),
      list: Effect.fnUntraced(function* (actor, workspace, cursor) {
        const id =
          workspace === undefined ? undefined : (yield* workspaces.get(actor, workspace)).id
        return yield* store.list(actor.account, id, cursor)
      })
    }
  })
)
