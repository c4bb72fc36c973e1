/** Passes generations and alerts to the destinations of the host; the default has no destinations. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { Settings } from "../../../instance/Settings.ts"
import type { Alert, AlertReceiver } from "../alerts/Alert.ts"
import type { Generation } from "../generations/Generation.ts"
import type { OutboxReport } from "./Outbox.ts"
import { type GenerationEvent, toGenerationEvent } from "./GenerationEvent.ts"

/** A function of the host that receives generations; its errors are logged. */
type GenerationReceiver = (generation: GenerationEvent) => void | Promise<void>

/** What receives generations, or also alerts, in the order in which they happen. */
export type Destination = GenerationReceiver | DestinationReceivers

/** The functions of a destination; each is optional, and their errors are logged. */
interface DestinationReceivers {
  readonly onGeneration?: GenerationReceiver
  /** It may be called again with the same `id`. */
  readonly onAlert?: AlertReceiver
}

/** Passes generations and alerts to the destinations of the host. */
export class Broadcast extends Context.Service<
  Broadcast,
  {
    /** Whether there are destinations. */
    readonly isEnabled: boolean
    /** Queues a generation, answered or not, for every destination. Never waits and never fails. */
    readonly offer: (generation: Generation) => void
    /** Whether a destination receives alerts. */
    readonly receivesAlerts: boolean
    /** Queues an alert for every destination that receives alerts. Never waits and never fails. */
    readonly offerAlert: (alert: Alert) => void
    /** One report per destination. */
    readonly report: () => ReadonlyArray<OutboxReport>
  }
>()("@signalbox/core/engine/observability/broadcast/Broadcast") {
  /** Each destination has a queue of its own, so that a slow one does not delay the others. */
  static readonly layer = (destinations: ReadonlyArray<Destination>): Layer.Layer<Broadcast> =>
    Layer.effect(
      Broadcast,
      Effect.gen(function* () {
        const { broadcastTimeoutMillis, maxQueuedBroadcasts, drainTimeoutMillis } = yield* Settings
        // Closed in parallel, so that several hanging outboxes delay the shutdown no longer than one.
        const all = yield* Scope.fork(yield* Effect.scope, "parallel")
        const outboxes = yield* Effect.forEach(
          destinations,
          Effect.fnUntraced(function* (destination, index) {
            const { onAlert, onGeneration } = toReceivers(destination)
            const { makeOutbox } = yield* Effect.promise(() => import("./Outbox.ts"))
            const outbox = makeOutbox<GenerationEvent | QueuedAlert>({
              name: `destination ${index + 1} of the broadcast`,
              capacity: maxQueuedBroadcasts,
              timeoutMillis: broadcastTimeoutMillis,
              drainTimeoutMillis: drainTimeoutMillis,
              deliver: (item) =>
                Effect.promise(async () =>
                  item instanceof QueuedAlert ? onAlert?.(item.alert) : onGeneration?.(item)
                )
            })
            const { offer, report } = yield* Scope.provide(outbox, yield* Scope.fork(all))
            return { offer, onAlert, onGeneration, report }
          })
        )
        return {
          isEnabled: outboxes.length > 0,
          offer: (generation) => {
            const event = toGenerationEvent(generation)
            for (const { offer, onGeneration } of outboxes) {
              if (onGeneration !== undefined) offer(event)
            }
          },
          receivesAlerts: outboxes.some(({ onAlert }) => onAlert !== undefined),
          offerAlert: (alert) => {
            for (const { offer, onAlert } of outboxes) {
              if (onAlert !== undefined) offer(new QueuedAlert(alert))
            }
          },
          report: () => outboxes.map(({ report }) => report())
        }
      })
    )
}

/** An alert in the queue of a destination, among generations. */
class QueuedAlert {
  readonly alert: Alert

  constructor(alert: Alert) {
    this.alert = alert
  }
}

const toReceivers = (destination: Destination): DestinationReceivers =>
  typeof destination === "function" ? { onGeneration: destination } : destination
