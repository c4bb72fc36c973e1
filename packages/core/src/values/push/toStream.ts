/** Pulls pushed values. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { PushStream } from "./PushStream.ts"
import { makeReadAheadBuffer } from "./ReadAheadBuffer.ts"

/** The source runs in a fiber of the stream, and is at most a `ReadAheadBuffer` ahead of its reader. */
export const toStream = <A, E, R>(
  source: PushStream<A, E, R> | Stream.Stream<A, E, R>
): Stream.Stream<A, E, R> => {
  if (Stream.isStream(source)) return source
  return Stream.unwrap(
    Effect.suspend(() => {
      const { end, push, values } = makeReadAheadBuffer<A, E>()
      const run = Effect.onExit(source.run(push), (exit) => Effect.sync(() => end(exit)))
      return Effect.as(Effect.forkScoped(run, { startImmediately: true }), values)
    })
  )
}
