/** Pulls pushed values. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { PushStream } from "./PushStream.ts"
import { ReadAheadBuffer } from "./ReadAheadBuffer.ts"

/** The source runs in a fiber of the stream, and is at most a `ReadAheadBuffer` ahead of its reader. */
export const toStream = <A, E, R>(
  source: PushStream<A, E, R> | Stream.Stream<A, E, R>
): Stream.Stream<A, E, R> => {
  if (Stream.isStream(source)) return source
  return Stream.unwrap(
    Effect.suspend(() => {
      const buffer = new ReadAheadBuffer<A, E>()
      const run = Effect.onExit(
        source.run((values) => buffer.push(values)),
        (exit) => Effect.sync(() => buffer.end(exit))
      )
      return Effect.as(Effect.forkScoped(run, { startImmediately: true }), buffer.values)
    })
  )
}
