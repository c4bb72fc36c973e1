/** Runs code of a host or of a provider, and converts its errors to failures of a call. */
import { type FailurePhase, UpstreamFailure } from "@signalbox/core/upstream"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { toAiSdkFailure } from "./toAiSdkFailure.ts"

export const runCode = <A>(run: () => A): Effect.Effect<A, UpstreamFailure> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) =>
    Effect.try({ try: run, catch: (error) => toAiSdkFailure(error, "connect", now) })
  )

/** An interruption aborts the signal. */
export const runPromise = <A>(
  run: (signal: AbortSignal) => PromiseLike<A>,
  phase: FailurePhase
): Effect.Effect<A, UpstreamFailure> =>
  Effect.clockWith((clock) =>
    Effect.tryPromise({
      try: run,
      catch: (error) => toAiSdkFailure(error, phase, clock.currentTimeMillisUnsafe())
    })
  )

/** The AI SDK sets no limit of its own. */
export const withTimeout = <A>(
  effect: Effect.Effect<A, UpstreamFailure>,
  millis: number
): Effect.Effect<A, UpstreamFailure> =>
  Effect.timeoutOrElse(effect, {
    duration: millis,
    orElse: () => Effect.fail(new UpstreamFailure({ kind: "timeout", phase: "headers" }))
  })
