/** Passes generations to the destinations of the host; the default has no destinations. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { Settings } from "../../../instance/Settings.ts"
import type { Generation } from "../generations/Generation.ts"
import type { OutboxReport } from "./Outbox.ts"
import { type GenerationEvent, toGenerationEvent } from "./GenerationEvent.ts"

/** A function of the host that receives generations; its errors are logged. */
export type Destination = (generation: GenerationEvent) => void | Promise<void>

/** Passes generations to the destinations of the host. */
export class Broadcast extends Context.Service<
  Broadcast,
  {
    /** Whether there are destinations. */
    readonly isEnabled: boolean
    /** Queues a generation, answered or not, for every destination. Never waits and never fails. */
    readonly offer: (generation: Generation) => void
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
            const { makeOutbox } = yield* Effect.promise(() => import("./Outbox.ts"))
            const outbox = makeOutbox<GenerationEvent>({
              name: `destination ${index + 1} of the broadcast`,
              capacity: maxQueuedBroadcasts,
              timeoutMillis: broadcastTimeoutMillis,
              drainTimeoutMillis: drainTimeoutMillis,
              deliver: (generation) => Effect.promise(async () => destination(generation))
            })
            return yield* Scope.provide(outbox, yield* Scope.fork(all))
          })
        )
        return {
          isEnabled: outboxes.length > 0,
          offer: (generation) => {
            const event = toGenerationEvent(generation)
            for (const outbox of outboxes) outbox.offer(event)
          },
          report: () => outboxes.map((outbox) => outbox.report())
        }
      })
    )
}
