/** Watches what endpoints do and says which of them are in trouble. One per process, in memory. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Settings } from "../Settings.ts"
import * as EndpointHealth from "./EndpointHealth.ts"
import { type HealthSnapshot, healthy } from "./HealthSnapshot.ts"
import type { Outcome } from "./Outcome.ts"

export class Health extends Context.Service<
  Health,
  {
    readonly record: (outcome: Outcome) => Effect.Effect<void>
    readonly snapshot: Effect.Effect<HealthSnapshot>
  }
>()("@signalbox/core/health/Health") {
  /** Keeps one entry per endpoint of the catalog. */
  static readonly layer: Layer.Layer<Health> = Layer.effect(
    Health,
    Effect.map(Settings, ({ outageWindowMillis: window }) => {
      const byEndpoint = new Map<string, EndpointHealth.EndpointHealth>()
      // Those that failed within the window: a snapshot looks at no others.
      const troubled = new Set<string>()
      return {
        record: (outcome) =>
          Effect.sync(() => {
            const known = byEndpoint.get(outcome.endpoint) ?? EndpointHealth.empty
            byEndpoint.set(outcome.endpoint, EndpointHealth.fold(known, outcome, window))
            if (outcome.result === "failure") troubled.add(outcome.endpoint)
          }),
        snapshot: Effect.map(Clock.currentTimeMillis, (now): HealthSnapshot => {
          if (troubled.size === 0) return healthy
          const outages = new Set<string>()
          for (const endpoint of troubled) {
            const health = byEndpoint.get(endpoint) ?? EndpointHealth.empty
            if (EndpointHealth.counts(health, now, window).failures === 0) {
              troubled.delete(endpoint)
            } else if (EndpointHealth.hasOutage(health, now, window)) {
              outages.add(endpoint)
            }
          }
          return { outages }
        })
      }
    })
  )
}
