/**
 * Keeps upstreams from tracing the requests of Effect's `HttpClient`, and from the cost of tracing without a tracer.
 */
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as Tracer from "effect/Tracer"

/** Sends no trace headers of the client, and creates no span unless a tracer exports it. */
export const withoutTracing = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.withFiber((fiber) => {
    const local = Effect.provideService(effect, HttpClient.TracerPropagationEnabled, false)
    return fiber.getRef(Tracer.Tracer) === Tracer.nativeTracer
      ? Effect.provideService(local, HttpClient.TracerDisabledWhen, () => true)
      : local
  })
