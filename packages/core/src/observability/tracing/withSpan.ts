/** Puts an effect into a span that tells what it is called, and nothing of what it failed with. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Tracer from "effect/Tracer"

interface SpanDescription<A, E> extends Tracer.SpanOptionsNoTrace {
  readonly name: string
  /** Writes what is known at the end into the span; gives what the error is called, if it is one. */
  readonly onEnd: (span: Tracer.Span, exit: Exit.Exit<A, E>) => string | undefined
}

/**
 * Costs nothing when the host has no tracer. An exporter writes down what a span failed with, and the
 * errors here can quote an upstream or a caller: the span gets their name alone.
 */
export const withSpan = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  describe: () => SpanDescription<A, E>
): Effect.Effect<A, E, R> =>
  Effect.withFiber((fiber) => {
    if (fiber.getRef(Tracer.Tracer) === Tracer.nativeTracer) return effect
    const { onEnd, name, ...options } = describe()
    return Effect.acquireUseRelease(
      Effect.makeSpan(name, options),
      (span) => Effect.withParentSpan(effect, span),
      (span, exit) =>
        Effect.map(Clock.currentTimeNanos, (now) => {
          const error = onEnd(span, exit)
          if (error !== undefined) span.attribute("error.type", error)
          span.end(now, error === undefined ? Exit.void : Exit.fail(error))
        })
    )
  })
