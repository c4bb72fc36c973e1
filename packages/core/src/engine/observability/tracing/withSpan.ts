/** Runs an effect in a span that records the name of an error, but not its content. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Tracer from "effect/Tracer"
import { getCurrentRef } from "../../../values/Pending.ts"

/** Whether the running request has a tracer of the host, so that spans are worth making. */
export const isTraced = (): boolean =>
  (getCurrentRef(Tracer.Tracer) ?? Tracer.nativeTracer) !== Tracer.nativeTracer

/** Receives the span that an effect runs in. */
export interface SpanObserver {
  readonly onSpan?: (span: Tracer.Span) => void
}

interface SpanDescription<A, E> extends Tracer.SpanOptionsNoTrace {
  readonly name: string
  /** Receives the span before the effect runs. */
  readonly observer?: SpanObserver | undefined
  /** Adds final attributes to the span; returns the name of the error, if any. */
  readonly onEnd: (span: Tracer.Span, exit: Exit.Exit<A, E>) => string | undefined
}

/**
 * Calls `run` at once when there is no tracer.
 * Exporters write the error of a span, and errors here can quote an upstream or a caller, so the span gets only the
 * name of the error.
 */
export const withSpan = <A, E, R>(
  run: () => Effect.Effect<A, E, R>,
  describe: () => SpanDescription<A, E>
): Effect.Effect<A, E, R> => {
  if (!isTraced()) return run()
  const { observer, onEnd, name, ...options } = describe()
  return Effect.acquireUseRelease(
    Effect.makeSpan(name, options),
    (span) => {
      observer?.onSpan?.(span)
      return Effect.withParentSpan(Effect.suspend(run), span)
    },
    (span, exit) =>
      Effect.map(Clock.currentTimeNanos, (now) => {
        const error = onEnd(span, exit)
        if (error !== undefined) span.attribute("error.type", error)
        span.end(now, error === undefined ? Exit.void : Exit.fail(error))
      })
  )
}
