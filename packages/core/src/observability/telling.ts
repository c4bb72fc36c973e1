/** Tells the host's own functions of generations, as far as their workspaces want it. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Semaphore from "effect/Semaphore"
import { Settings } from "../Settings.ts"
import { Broadcast } from "./Broadcast.ts"
import type { Generation } from "./Generation.ts"
import { type Content, IoLog } from "./IoLog.ts"
import { Wishes } from "./Wishes.ts"

/**
 * What is not wished does not wait, so that it takes no room from what is. Nobody waits for wishes that are slow
 * to read, and of what they are not known nobody is told. Never fails.
 */
export const telling = Effect.gen(function* () {
  const broadcast = yield* Broadcast
  const io = yield* IoLog
  const wishes = yield* Wishes
  const { broadcastQueue } = yield* Settings
  const scope = yield* Effect.scope
  const asking = yield* Semaphore.make(broadcastQueue)
  const ifThereIsRoom = asking.withPermitsIfAvailable(1)

  const tell = Effect.fnUntraced(function* (generation: Generation, content: Content) {
    const { account, workspace } = generation
    const wish = yield* wishes.of(account, workspace)
    if (wish.broadcast) broadcast.offer(generation)
    if (wish.io !== undefined) yield* io.offer(generation, content, wish.io)
  })

  return (generation: Generation, content: Content): Effect.Effect<void> =>
    broadcast.isHeard || io.isHeard
      ? ifThereIsRoom(tell(generation, content)).pipe(
          Effect.tap((told) => (Option.isNone(told) ? tooMany(generation) : Effect.void)),
          Effect.catchCause((cause) =>
            Effect.logError(`who wants to be told of ${generation.id} is not known`, cause)
          ),
          // What was answered is told, also where the box is closed meanwhile.
          Effect.forkIn(scope, { startImmediately: true, uninterruptible: true }),
          Effect.asVoid
        )
      : Effect.void
})

const tooMany = ({ id }: Generation): Effect.Effect<void> =>
  Effect.logWarning(`nobody was told of ${id}: too many wait for what their workspaces want`)
