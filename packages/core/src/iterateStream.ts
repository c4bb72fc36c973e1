/** Reads a stream from outside of Effect, each pull a promise. */
import * as Effect from "effect/Effect"
import * as Pull from "effect/Pull"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"

/** Opens the stream and pulls it, both by `run`, whose scope holds what it needs. */
export const iterateStream = async function* <A, E, R>(
  run: <B>(effect: Effect.Effect<B, E, R | Scope.Scope>) => Promise<B>,
  open: Effect.Effect<Stream.Stream<A, E, R>, E, R | Scope.Scope>
): AsyncGenerator<A, void> {
  const pull = await run(Effect.flatMap(open, Stream.toPull))
  const next = Pull.catchDone(pull, () => Effect.succeed(emptyChunk))
  for (;;) {
    const pulled: ReadonlyArray<A> = await run(next)
    if (pulled.length === 0) return
    yield* pulled
  }
}

/** A pull brings something, or it is the last. */
const emptyChunk: ReadonlyArray<never> = []
