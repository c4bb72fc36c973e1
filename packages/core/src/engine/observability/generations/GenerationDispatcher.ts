/** Passes generations to the broadcast and the I/O log, as their workspaces configure it. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Semaphore from "effect/Semaphore"
import { Settings } from "../../../instance/Settings.ts"
import { Broadcast } from "../broadcast/Broadcast.ts"
import type { Generation } from "./Generation.ts"
import { type IoContent, IoLog } from "../broadcast/IoLog.ts"
import { ObservabilityPreferences } from "../broadcast/ObservabilityPreferences.ts"

/** Dispatches generations in the background. */
export class GenerationDispatcher extends Context.Service<
  GenerationDispatcher,
  {
    /** Never fails and waits for no preferences; a generation whose preferences cannot be loaded is dropped. */
    readonly dispatch: (generation: Generation, content: IoContent) => Effect.Effect<void>
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
      const slots = yield* Semaphore.make(maxQueuedBroadcasts)
      const runIfAvailable = slots.withPermitsIfAvailable(1)

      const offer = Effect.fnUntraced(function* (generation: Generation, content: IoContent) {
        const { account, workspace } = generation
        const preference = yield* preferences.get(account, workspace)
        if (preference.broadcast) broadcast.offer(generation)
        if (preference.io !== undefined) yield* io.offer(generation, content, preference.io)
      })

      return {
        dispatch: (generation, content) =>
          broadcast.isEnabled || io.isEnabled
            ? runIfAvailable(offer(generation, content)).pipe(
                Effect.tap((offered) =>
                  Option.isNone(offered) ? logDropped(generation) : Effect.void
                ),
                Effect.catchCause((cause) =>
                  Effect.logError(
                    `The observability preferences for ${generation.id} could not be loaded`,
                    cause
                  )
                ),
                // A generation already answered is dispatched even while the instance closes.
                Effect.forkIn(scope, { startImmediately: true, uninterruptible: true }),
                Effect.asVoid
              )
            : Effect.void
      }
    })
  )
}

const logDropped = ({ id }: Generation): Effect.Effect<void> =>
  Effect.logWarning(
    `${id} was not dispatched: too many generations wait for the preferences of their workspaces`
  )
