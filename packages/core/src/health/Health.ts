/** Watches what attempts come to and says what is known of their endpoints. One per process, in memory. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Settings } from "../Settings.ts"
import * as EndpointHealth from "./EndpointHealth.ts"
import type { EndpointReport, HealthSnapshot } from "./HealthSnapshot.ts"
import type { Outcome } from "./Outcome.ts"

/** Folds the outcomes of attempts into what is known of each endpoint. */
export class Health extends Context.Service<
  Health,
  {
    readonly record: (outcome: Outcome) => Effect.Effect<void>
    /** What is known of these endpoints. Cheap: reports are shared until something in them changes. */
    readonly snapshot: (endpoints: Iterable<string>) => Effect.Effect<HealthSnapshot>
    /**
     * Asked before an attempt: whether it may be made. With an open breaker one of those who ask in a
     * probe interval is told yes, and is expected to try.
     */
    readonly claim: (endpoint: string) => Effect.Effect<boolean>
    /** What is known of all endpoints this very moment. Dear: everything is worked out anew. */
    readonly report: Effect.Effect<HealthSnapshot>
    /** The same of these endpoints alone. */
    readonly reportOn: (endpoints: Iterable<string>) => Effect.Effect<HealthSnapshot>
  }
>()("@signalbox/core/health/Health") {
  /** Keeps the endpoints tried last, as many as the settings say. */
  static readonly layer: Layer.Layer<Health> = Layer.effect(
    Health,
    Effect.map(Settings, (settings) => {
      /** Least recently tried first. */
      const byEndpoint = new Map<string, Known>()

      const keep = (endpoint: string, known: Known): void => {
        byEndpoint.delete(endpoint)
        byEndpoint.set(endpoint, known)
        if (byEndpoint.size > settings.healthEndpointsKept) {
          const [oldest] = byEndpoint.keys()
          if (oldest !== undefined) byEndpoint.delete(oldest)
        }
      }

      const snapshot = (endpoints: Iterable<string>) =>
        Effect.map(Clock.currentTimeMillis, (now): HealthSnapshot => {
          const reports: Array<readonly [string, EndpointReport]> = []
          for (const endpoint of endpoints) {
            const known = byEndpoint.get(endpoint)
            if (known !== undefined) reports.push([endpoint, lastReport(known, now, settings)])
          }
          return { at: now, endpoints: Object.fromEntries(reports) }
        })

      const reportOn = (endpoints: Iterable<string>) =>
        Effect.map(Clock.currentTimeMillis, (now): HealthSnapshot => {
          const reports: Array<readonly [string, EndpointReport]> = []
          for (const endpoint of endpoints) {
            const health = byEndpoint.get(endpoint)?.health
            if (health === undefined) continue
            const report = EndpointHealth.reportOf(health, now, settings)
            reports.push([endpoint, { ...report, longer: EndpointHealth.longerOf(health, now) }])
          }
          return { at: now, endpoints: Object.fromEntries(reports) }
        })

      return {
        record: (outcome) =>
          Effect.sync(() => {
            const { endpoint } = outcome
            const known = byEndpoint.get(endpoint) ?? { health: EndpointHealth.empty }
            known.health = EndpointHealth.fold(known.health, outcome, settings)
            if (known.health !== EndpointHealth.empty) keep(endpoint, known)
          }),
        snapshot,
        claim: (endpoint) =>
          Effect.map(Clock.currentTimeMillis, (now) => {
            const known = byEndpoint.get(endpoint)
            if (known === undefined) return true
            keep(endpoint, known)
            const claimed = EndpointHealth.claim(known.health, now, settings)
            known.health = claimed ?? known.health
            return claimed !== undefined
          }),
        report: Effect.suspend(() => reportOn(byEndpoint.keys())),
        reportOn
      }
    })
  )
}

/** An endpoint, and what was last said about it. */
interface Known {
  health: EndpointHealth.EndpointHealth
  said?: {
    readonly of: EndpointHealth.EndpointHealth
    readonly at: number
    /** Until when it is to be said again, unless something happens. */
    readonly until: number
    readonly measuredAt: number
    readonly measures: EndpointHealth.Measures
    readonly report: EndpointReport
  }
}

/** How old what is measured may be: a snapshot is taken for every request. */
const measuresLastMillis = 1_000

const lastReport = (
  known: Known,
  now: number,
  rules: EndpointHealth.HealthRules
): EndpointReport => {
  const { health, said } = known
  if (said !== undefined && said.of === health && said.at <= now && now < said.until) {
    return said.report
  }
  const fresh = said !== undefined && Math.abs(now - said.measuredAt) < measuresLastMillis
  const measuredAt = fresh ? said.measuredAt : now
  const measures = fresh ? said.measures : EndpointHealth.measuresOf(health, now, rules)
  const report = EndpointHealth.reportOf(health, now, rules, measures)
  const until = Math.min(
    EndpointHealth.staysUntil(health, now, rules),
    measuredAt + measuresLastMillis
  )
  known.said = { of: health, at: now, until, measuredAt, measures, report }
  return report
}
