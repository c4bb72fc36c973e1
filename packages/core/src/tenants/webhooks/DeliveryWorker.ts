/** Attempts due deliveries, stores the outcomes, and purges old deliveries. */
import * as Clock from "effect/Clock"
import * as Mac from "effect/crypto/Mac"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Random from "effect/Random"
import * as Schedule from "effect/Schedule"
import { Transaction } from "../../instance/Transaction.ts"
import { DurableJobs } from "../../engine/jobs/DurableJobs.ts"
import type { OutboundHttp } from "../../engine/outbound/OutboundHttp.ts"
import { Settings } from "../../instance/Settings.ts"
import { Webhooks } from "../workspaces/Webhooks.ts"
import type { Workspaces } from "../workspaces/Workspaces.ts"
import { applyAttempt, isHealthy, type AttemptOutcome } from "./applyAttempt.ts"
import { DeliverySender } from "./DeliverySender.ts"
import { makeAttemptStep, makeDeferredStep, makeDeliveryJobKind } from "./DeliveryStep.ts"
import { DeliveryStore } from "./DeliveryStore.ts"
import { makeReceiverBulkhead } from "./ReceiverBulkhead.ts"

const worker = Effect.gen(function* () {
  const { withTransaction } = yield* Transaction
  const { attempt } = yield* DeliverySender
  const jobs = yield* DurableJobs
  const settings = yield* Settings
  const kind = makeDeliveryJobKind(settings)
  const store = yield* DeliveryStore
  const webhooks = yield* Webhooks
  const bulkhead = makeReceiverBulkhead(settings.webhookConcurrency)

  /** Does nothing when the delivery has a newer version than the attempt. */
  const settle = Effect.fnUntraced(function* (
    id: string,
    version: number,
    outcome: AttemptOutcome
  ) {
    const random = yield* Random.next
    yield* withTransaction(
      Effect.gen(function* () {
        const before = yield* store.find(id)
        if (before === undefined) return
        const after = applyAttempt(before, outcome, random, settings)
        if (!(yield* store.replace(version, after))) return
        if (after.state === "pending") {
          yield* jobs.offer(kind, makeAttemptStep(after, yield* Clock.currentTimeMillis))
        }
        if (after.state === "disabled" && after.isWorkspaceUrl) {
          yield* webhooks.disable(after.account, after.workspace, after.url)
        }
      })
    )
  })

  yield* jobs.work(kind, {
    run: Effect.fnUntraced(function* ({ id, deferrals, version }) {
      const delivery = yield* store.find(id)
      if (delivery?.version !== version || delivery.state !== "pending") return
      const release = bulkhead.acquire(toHost(delivery.url), delivery.account)
      if (release === undefined) {
        return yield* jobs.offer(
          kind,
          makeDeferredStep(delivery, deferrals + 1, yield* Random.next)
        )
      }
      const outcome = yield* Effect.onExit(attempt(delivery), (exit) =>
        Effect.sync(() => release(Exit.isSuccess(exit) ? isHealthy(exit.value) : undefined))
      )
      yield* settle(id, version, outcome)
    }),
    onExhausted: Effect.fnUntraced(function* ({ at, id }) {
      const delivery = yield* store.find(id)
      if (delivery?.state !== "pending") return
      yield* settle(id, delivery.version, { at, durationMillis: 0, error: "internal" })
    })
  })

  yield* Clock.currentTimeMillis.pipe(
    Effect.flatMap((now) => store.purgeEnded(now - settings.deliveryRetentionMillis)),
    Effect.catchCause((cause) => Effect.logWarning("purging ended deliveries failed", cause)),
    Effect.delay("1 hour"),
    Effect.repeat(Schedule.forever),
    Effect.withTracerEnabled(false),
    Effect.forkScoped
  )
})

/** Runs until the Signalbox instance is closed. */
export const layerDeliveryWorker: Layer.Layer<
  never,
  never,
  Transaction | DeliveryStore | DurableJobs | OutboundHttp | Webhooks | Workspaces
> = Layer.effectDiscard(worker).pipe(
  Layer.provide(DeliverySender.layer),
  Layer.provide(Mac.layerWebCrypto.pipe(Layer.provide(SecureRandom.layerWebCrypto)))
)

const toHost = (url: string): string => new URL(url).host
