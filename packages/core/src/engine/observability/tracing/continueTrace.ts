/** Work that outlives its request, in the trace of that request. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Tracer from "effect/Tracer"
import { parseTraceparent, toTraceparent } from "./traceContext.ts"

/** What `continueTrace` needs to know of the current span; undefined unless a tracer of the host exports it. */
export const currentTraceparent: Effect.Effect<string | undefined> = Effect.withFiber((fiber) => {
  const span = Context.getOrUndefined(fiber.context, Tracer.ParentSpan)
  return Effect.succeed(
    span?._tag === "Span" && fiber.getRef(Tracer.Tracer) !== Tracer.nativeTracer
      ? toTraceparent(span)
      : undefined
  )
})

/** Makes that span the parent, in this or another process. Work that another request has asked for stays in its trace. */
export const continueTrace = <A, E, R>(
  self: Effect.Effect<A, E, R>,
  traceparent: string | undefined
): Effect.Effect<A, E, R> => {
  const parent = traceparent === undefined ? undefined : parseTraceparent(traceparent)
  if (parent === undefined) return self
  return Effect.withFiber((fiber) =>
    Context.getOrUndefined(fiber.context, Tracer.ParentSpan) === undefined
      ? Effect.provideService(self, Tracer.ParentSpan, parent)
      : self
  )
}
