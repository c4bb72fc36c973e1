/** Prints every attempt, so that the terminal shows how requests are routed. */
import type { Upstream } from "@signalbox/core/upstream"
import * as Effect from "effect/Effect"

export const withAttemptLog = (upstream: Upstream): Upstream => {
  const { decisions, name } = upstream
  if (decisions === undefined) return upstream
  const print = (model: string, outcome: string) =>
    Effect.sync(() => console.log(`${name} | ${model} | ${outcome}`))
  return {
    ...upstream,
    decisions: {
      ...decisions,
      decide: (call) =>
        decisions.decide(call).pipe(
          Effect.tap(print(call.model, "answered")),
          Effect.tapError((failure) => print(call.model, failure.message))
        )
    }
  }
}
