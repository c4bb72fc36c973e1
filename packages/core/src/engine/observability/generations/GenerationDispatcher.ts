/** Passes generations to the broadcast and the I/O log, as their workspaces configure it. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Semaphore from "effect/Semaphore"
import type { GenerationId } from "../../../values/ids/GenerationId.ts"
import { Settings } from "../../../instance/Settings.ts"
import { Broadcast } from "../broadcast/Broadcast.ts"
import type { Generation } from "./Generation.ts"
import { type IoContent, IoLog } from "../broadcast/IoLog.ts"
import { ObservabilityPreferences } from "../broadcast/ObservabilityPreferences.ts"

export interface DispatchedGeneration {
  readonly generation: Generation
  /** Read only for the I/O log of the host. */
  readonly content: IoContent
}

/** Dispatches generations in the background. */
export class GenerationDispatcher extends Context.Service<
  GenerationDispatcher,
  {
    /** Never fails and waits for no preferences; a generation whose preferences cannot be loaded is dropped. */
    readonly dispatch: (ended: DispatchedGeneration) => void
  }
>()("@signalbox/core/engine/observability/generations/GenerationDispatcher") {
  static readonly layer = Layer.effect(
    GenerationDispatcher,
    Effect.gen(function* () {
      const broadcast = yield* Broadcast
      const io = yield* IoLog
      const preferences = yield* ObservabilityPreferences
      const { maxQueuedBroadcasts } = yield* Settings
      const scope = yield* Effect.scope
      const run = Effect.runForkWith(yield* Effect.context())
      const slots = yield* Semaphore.make(maxQueuedBroadcasts)
      const runIfAvailable = slots.withPermitsIfAvailable(1)

      const offer = Effect.fnUntraced(function* (ended: DispatchedGeneration) {
        const { generation } = ended
        const { account, workspace } = generation
        const preference = yield* preferences.get(account, workspace)
        if (preference.broadcast) broadcast.offer(generation)
        if (preference.io !== undefined) yield* io.offer(generation, ended.content, preference.io)
      })

      return {
        dispatch: (ended) => {
          if (!broadcast.isEnabled && !io.isEnabled) return
          const { id } = ended.generation
          const offered = runIfAvailable(offer(ended)).pipe(
            Effect.tap((offered) => (Option.isNone(offered) ? logDropped(id) : Effect.void)),
            Effect.catchCause((cause) =>
              Effect.logError(`The observability preferences for ${id} could not be loaded`, cause)
            )
          )
          // A generation already answered is dispatched even while the instance closes.
          const fiber = run(offered, { uninterruptible: true })
          if (fiber.pollUnsafe() === undefined) Fiber.runIn(fiber, scope)
        }
      }
    })
  )
}

const logDropped = (id: GenerationId): Effect.Effect<void> =>
  Effect.logWarning(
    `${id} was not dispatched: too many generations wait for the preferences of their workspaces`
  )
