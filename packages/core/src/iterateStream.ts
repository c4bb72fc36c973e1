/** Iterates over a stream outside Effect. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"

/** `run` runs the opening and every pull, and its scope must outlive the iteration. */
export const iterateStream = async function* <A, E, R>(
  run: <B>(effect: Effect.Effect<B, E, R | Scope.Scope>) => Promise<B>,
  open: Effect.Effect<Stream.Stream<A, E, R>, E, R | Scope.Scope>
): AsyncGenerator<A, void> {
  const pull = await run(Effect.flatMap(open, Stream.toPull))
  const next = Effect.catchIf(pull, Cause.isDone, () => Effect.succeed(emptyChunk))
  for (;;) {
    const pulled: ReadonlyArray<A> = await run(next)
    if (pulled.length === 0) return
    yield* pulled
  }
}

/** Marks the end, because a pull never yields an empty chunk. */
const emptyChunk: ReadonlyArray<never> = []
