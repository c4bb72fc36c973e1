/** Attempts what is due, settles what becomes of it, and forgets what ended long ago. */
import * as Clock from "effect/Clock"
import * as Mac from "effect/crypto/Mac"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Random from "effect/Random"
import * as Schedule from "effect/Schedule"
import { Atomically } from "../Atomically.ts"
import { DurableJobs } from "../jobs/DurableJobs.ts"
import type { OutboundHttp } from "../outbound/OutboundHttp.ts"
import { Settings } from "../Settings.ts"
import { Webhooks } from "../workspaces/Webhooks.ts"
import type { Workspaces } from "../workspaces/Workspaces.ts"
import { afterAttempt, isWell, type Outcome } from "./afterAttempt.ts"
import { makeAttemptDelivery } from "./attemptDelivery.ts"
import { attemptStep, deliveryKind, putOffStep } from "./deliveryKind.ts"
import { DeliveryStore } from "./DeliveryStore.ts"
import { receiverSlots } from "./receiverSlots.ts"

const work = Effect.gen(function* () {
  const { atomically } = yield* Atomically
  const attempt = yield* makeAttemptDelivery
  const jobs = yield* DurableJobs
  const kind = yield* deliveryKind
  const settings = yield* Settings
  const store = yield* DeliveryStore
  const webhooks = yield* Webhooks
  const slots = receiverSlots(settings.webhookConcurrency)

  /** Of the turn that was attempted; nothing when that is over. */
  const settle = Effect.fnUntraced(function* (id: string, turn: number, outcome: Outcome) {
    const random = yield* Random.next
    yield* atomically(
      Effect.gen(function* () {
        const before = yield* store.find(id)
        if (before === undefined) return
        const after = afterAttempt(before, outcome, random, settings)
        if (!(yield* store.replace(turn, after))) return
        if (after.state === "pending") {
          yield* jobs.offer(kind, attemptStep(after, yield* Clock.currentTimeMillis))
        }
        if (after.state === "disabled" && after.isWorkspaceUrl) {
          yield* webhooks.disable(after.account, after.workspace, after.url)
        }
      })
    )
  })

  yield* jobs.work(kind, {
    run: Effect.fnUntraced(function* ({ id, put_off, turn }) {
      const delivery = yield* store.find(id)
      if (delivery?.turn !== turn || delivery.state !== "pending") return
      const leave = slots.enter(hostOf(delivery.url), delivery.account)
      if (leave === undefined) {
        return yield* jobs.offer(kind, putOffStep(delivery, put_off + 1, yield* Random.next))
      }
      const outcome = yield* Effect.onExit(attempt(delivery), (exit) =>
        Effect.sync(() => leave(Exit.isSuccess(exit) ? isWell(exit.value) : undefined))
      )
      yield* settle(id, turn, outcome)
    }),
    onExhausted: Effect.fnUntraced(function* ({ at, id }) {
      const delivery = yield* store.find(id)
      if (delivery?.state !== "pending") return
      yield* settle(id, delivery.turn, { at, durationMillis: 0, error: "internal" })
    })
  })

  yield* Clock.currentTimeMillis.pipe(
    Effect.flatMap((now) => store.forget(now - settings.deliveriesKeptMillis)),
    Effect.catchCause((cause) => Effect.logWarning("old deliveries were not forgotten", cause)),
    Effect.delay("1 hour"),
    Effect.repeat(Schedule.forever),
    Effect.withTracerEnabled(false),
    Effect.forkScoped
  )
})

/** Works for as long as the box is open. */
export const layerDeliveryWorker: Layer.Layer<
  never,
  never,
  Atomically | DeliveryStore | DurableJobs | OutboundHttp | Webhooks | Workspaces
> = Layer.effectDiscard(work).pipe(
  Layer.provide(Mac.layerWebCrypto.pipe(Layer.provide(SecureRandom.layerWebCrypto)))
)

const hostOf = (url: string): string => new URL(url).host
