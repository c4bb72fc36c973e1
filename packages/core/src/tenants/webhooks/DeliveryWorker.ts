/** Attempts due deliveries, stores the outcomes, and purges old deliveries. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Random from "effect/Random"
import * as Schedule from "effect/Schedule"
import * as Mac from "effect/crypto/Mac"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { makeBulkhead } from "../../engine/jobs/Bulkhead.ts"
import { DurableJobs } from "../../engine/jobs/DurableJobs.ts"
import type { OutboundHttp } from "../../engine/outbound/OutboundHttp.ts"
import { Settings } from "../../instance/Settings.ts"
import { Transaction } from "../../instance/Transaction.ts"
import { Webhooks } from "../workspaces/Webhooks.ts"
import type { Workspaces } from "../workspaces/Workspaces.ts"
import { DeliverySender } from "./DeliverySender.ts"
import { makeAttemptStep, makeDeferredStep, makeDeliveryJobKind } from "./DeliveryStep.ts"
import { DeliveryStore } from "./DeliveryStore.ts"
import { applyAttempt, type AttemptOutcome, isHealthy } from "./deliveryRetries.ts"

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

/** Limits concurrent attempts, so that neither one receiver nor one account with many domains delays the others. */
interface ReceiverBulkhead {
  /** Like `Bulkhead.tryAcquire`; `account` owns the delivery. */
  readonly acquire: (
    receiver: string,
    account: string
  ) => ((isHealthy: boolean | undefined) => void) | undefined
}

/**
 * A healthy receiver may use a quarter of `total`, an unknown one a sixteenth, an unhealthy one a single slot, and
 * all unhealthy ones half together. A wildcard DNS domain provides any number of unknown receivers. Receivers that
 * are not known to be healthy therefore share limits: an account may use half of `total` for them, a quarter in
 * one domain, and all accounts three quarters together. An account may use three quarters in total.
 */
export const makeReceiverBulkhead = (total: number): ReceiverBulkhead => {
  const quarter = Math.floor(total / 4)
  const half = Math.floor(total / 2)
  const receivers = makeBulkhead({
    perHealthy: quarter,
    perUnknown: Math.max(1, Math.floor(total / 16)),
    totalUnhealthy: half
  })
  const usageByAccount = new Map<string, AccountUsage>()
  let unproven = 0

  return {
    acquire: (receiver, account) => {
      const isProven = receivers.getHealth(receiver) === "healthy"
      const usage = usageByAccount.get(account) ?? { all: 0, unproven: 0, domains: new Map() }
      if (usage.all >= total - quarter) return
      if (!isProven && (usage.unproven >= half || unproven >= total - quarter)) return
      const domain = toDomain(receiver)
      if (!isProven && (usage.domains.get(domain) ?? 0) >= quarter) return
      const release = receivers.tryAcquire(receiver)
      if (release === undefined) return
      const count = (by: 1 | -1) => {
        usage.all += by
        if (isProven) return
        usage.unproven += by
        const inDomain = (usage.domains.get(domain) ?? 0) + by
        if (inDomain > 0) usage.domains.set(domain, inDomain)
        else usage.domains.delete(domain)
        unproven += by
      }
      count(1)
      usageByAccount.set(account, usage)
      return (isHealthy) => {
        release(isHealthy)
        count(-1)
        if (usage.all === 0) usageByAccount.delete(account)
      }
    }
  }
}

/** Slots in use by one account. */
interface AccountUsage {
  all: number
  unproven: number
  /** Unproven slots by domain. */
  readonly domains: Map<string, number>
}

/** The last two labels. Under suffixes such as co.uk receivers of different owners share them, which only tightens the limit. */
const toDomain = (receiver: string): string => receiver.split(".").slice(-2).join(".")
