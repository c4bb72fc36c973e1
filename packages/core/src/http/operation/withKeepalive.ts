/** Keeps the connection of an event stream open during silence, and ends it when the instance drains. */
import type * as Arr from "effect/Array"
import type * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Latch from "effect/Latch"
import type * as Pull from "effect/Pull"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { Drain } from "../../Drain.ts"
import { Draining } from "../errors/HttpErrors.ts"

/** Keepalive and drain of an event stream. */
export interface EventStreamOptions {
  /** Milliseconds of silence after which a comment keeps the connection open. */
  readonly keepaliveMillis: number
  /** Ends the stream when the drain timeout has passed. */
  readonly drain: Pick<Drain["Service"], "onTimeout">
}

const keepalive = Exit.succeed<Arr.NonEmptyReadonlyArray<string>>([": keepalive\n\n"])

/**
 * One fiber reads ahead by one chunk and one looks at the clock, both for the whole stream. A fiber and a timer per event
 * would cost more than the event, and interrupting a pull would close the stream.
 */
export const withKeepalive = <E>(
  events: Stream.Stream<string, E>,
  { drain, keepaliveMillis }: EventStreamOptions
): Stream.Stream<string, E | Draining> =>
  Stream.transformPull(events, (pull, scope) =>
    Effect.gen(function* () {
      const clock = yield* Clock.Clock
      const hasRoom = yield* Latch.make(false)
      type Chunk = Exit.Exit<Arr.NonEmptyReadonlyArray<string>, E | Draining | Cause.Done>
      let ready: Chunk | undefined
      let last: Chunk | undefined
      let resumeReader: ((chunk: Chunk) => void) | undefined
      let waitingSince = 0

      const resume = (chunk: Chunk): boolean => {
        const reader = resumeReader
        resumeReader = undefined
        reader?.(chunk)
        return reader !== undefined
      }
      /** Waits until the reader takes the chunk. Nothing follows the end. */
      const deliver = (chunk: Chunk): Effect.Effect<void> => {
        if (last !== undefined) return Effect.never
        if (resume(chunk)) return Effect.void
        ready = chunk
        hasRoom.closeUnsafe()
        return hasRoom.await
      }
      /** Every later read gets it, after what is ready. */
      const end = (chunk: Chunk): void => {
        last ??= chunk
        resume(last)
      }
      const readAhead = Effect.forever(
        Effect.flatMap(pull, (chunk) => deliver(Exit.succeed(chunk)))
      ).pipe(Effect.onExit((exit) => Effect.sync(() => end(exit))))
      const watchSilence: Effect.Effect<never> = Effect.suspend(() => {
        const now = clock.currentTimeMillisUnsafe()
        const isDue = resumeReader !== undefined && now - waitingSince >= keepaliveMillis
        if (isDue) resume(keepalive)
        const silence = resumeReader === undefined ? 0 : now - waitingSince
        return Effect.flatMap(Effect.sleep(keepaliveMillis - silence), () => watchSilence)
      })
      const unsubscribe = drain.onTimeout(() => {
        ready = undefined
        last = Exit.fail(new Draining())
        resume(last)
      })
      yield* Scope.addFinalizer(scope, Effect.sync(unsubscribe))
      yield* Effect.forkIn(readAhead, scope)
      yield* Effect.forkIn(watchSilence, scope)
      const next: Pull.Pull<Arr.NonEmptyReadonlyArray<string>, E | Draining> = Effect.callback(
        (take) => {
          const chunk = ready ?? last
          if (chunk !== undefined) {
            ready = undefined
            hasRoom.openUnsafe()
            take(chunk)
            return
          }
          waitingSince = clock.currentTimeMillisUnsafe()
          resumeReader = take
          return Effect.sync(() => {
            resumeReader = undefined
          })
        }
      )
      return next
    })
  )
