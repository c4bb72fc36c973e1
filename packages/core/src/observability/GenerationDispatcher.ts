/** Tells the host's own functions of generations, as far as their workspaces want it. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Semaphore from "effect/Semaphore"
import { Settings } from "../Settings.ts"
import { Broadcast } from "./Broadcast.ts"
import type { Generation } from "./Generation.ts"
import { type IoContent, IoLog } from "./IoLog.ts"
import { ObservabilityPreferences } from "./ObservabilityPreferences.ts"

/**
 * What is not wished does not wait, so that it takes no room from what is. Nobody waits for wishes that are slow
 * to read, and of what they are not known nobody is told. Never fails.
 */
export const makeGenerationDispatcher = Effect.gen(function* () {
  const broadcast = yield* Broadcast
  const io = yield* IoLog
  const preferences = yield* ObservabilityPreferences
  const { maxQueuedBroadcasts } = yield* Settings
  const scope = yield* Effect.scope
  const slots = yield* Semaphore.make(maxQueuedBroadcasts)
  const runIfAvailable = slots.withPermitsIfAvailable(1)

  const dispatch = Effect.fnUntraced(function* (generation: Generation, content: IoContent) {
    const { account, workspace } = generation
    const preference = yield* preferences.get(account, workspace)
    if (preference.broadcast) broadcast.offer(generation)
    if (preference.io !== undefined) yield* io.offer(generation, content, preference.io)
  })

  return (generation: Generation, content: IoContent): Effect.Effect<void> =>
    broadcast.isEnabled || io.isEnabled
      ? runIfAvailable(dispatch(generation, content)).pipe(
          Effect.tap((dispatched) =>
            Option.isNone(dispatched) ? logDropped(generation) : Effect.void
          ),
          Effect.catchCause((cause) =>
            Effect.logError(`who wants to be told of ${generation.id} is not known`, cause)
          ),
          // What was answered is told, also where the box is closed meanwhile.
          Effect.forkIn(scope, { startImmediately: true, uninterruptible: true }),
          Effect.asVoid
        )
      : Effect.void
})

const logDropped = ({ id }: Generation): Effect.Effect<void> =>
  Effect.logWarning(`nobody was told of ${id}: too many wait for what their workspaces want`)
