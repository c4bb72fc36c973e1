/** Counts generations: requests, attempts, tokens, money, time. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import { loadOnce } from "../../../values/layerOnDemand.ts"
import type { Generation, GenerationAttempt } from "../generations/Generation.ts"

type Labels = Readonly<Record<string, string>>

/** A metric that is read on request instead of being updated. */
export interface Reading {
  readonly name: string
  readonly description: string
  readonly type: "counter" | "gauge"
  readonly values: ReadonlyArray<{
    readonly labels: Labels
    readonly value: number
  }>
}

/** The prefix of every name, because a host may share its registry. */
const prefix = "signalbox_"

const makeCounter = (name: string, description: string) => (attributes: Labels) =>
  Metric.counter(`${prefix}${name}`, { attributes, description, incremental: true })

const requests = makeCounter("requests_total", "Requests by outcome")
const attempts = makeCounter("attempts_total", "Attempts at providers by outcome")
const tokens = makeCounter("tokens_total", "Tokens by provider and direction")
const implausible = makeCounter(
  "implausible_total",
  "Attempts whose provider reported an implausible usage or cost"
)
const hedges = makeCounter("hedges_total", "Attempts started beside a late one")
const hedgeWins = makeCounter(
  "hedge_wins_total",
  "Attempts started beside a late one that answered"
)
const makeCostCounter = (name: string, description: string) => (attributes: Labels) =>
  Metric.counter(`${prefix}${name}`, { attributes, description, bigint: true, incremental: true })
const cost = makeCostCounter("cost_nano_usd_total", "Known cost of attempts in nano-USD (1e-9 USD)")
const hedgeCost = makeCostCounter(
  "hedge_cost_nano_usd_total",
  "Known cost of attempts in nano-USD (1e-9 USD) in whose place another answered"
)
const cacheUses = makeCounter("response_cache_total", "Requests that used the cache of responses")
const cacheSavings = makeCostCounter(
  "response_cache_saved_nano_usd_total",
  "Known cost in nano-USD (1e-9 USD) that hits would have had"
)
const seconds = (attributes: Labels) =>
  Metric.histogram(`${prefix}request_duration_seconds`, {
    attributes,
    description: "Time from a request to its answer or error",
    boundaries: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120]
  })

/** Counts requests, attempts, tokens and money. */
export class Metrics extends Context.Service<
  Metrics,
  {
    readonly count: (generation: Generation) => void
    /** These metrics and `readings` in the text format of Prometheus. */
    readonly toPrometheusText: (readings: ReadonlyArray<Reading>) => Effect.Effect<string>
  }
>()("@signalbox/core/engine/observability/metrics/Metrics") {
  /**
   * Uses the current `Metric.MetricRegistry`, from which the exporters of Effect read. Label values come from the
   * configuration, never from a caller.
   */
  static readonly layer = Layer.effect(
    Metrics,
    Effect.map(Effect.context(), (context) => {
      const requestMetrics = memoizeByTexts((operation, outcome) => ({
        requests: requests({ operation, outcome }),
        seconds: seconds({ operation })
      }))
      const cacheMetrics = memoizeByTexts((operation, status) => ({
        uses: cacheUses({ operation, status }),
        saved: cacheSavings({ operation })
      }))
      const attemptMetrics = memoizeByTexts((operation, outcome, provider) => ({
        attempts: attempts({ operation, outcome, provider }),
        cost: cost({ operation, provider }),
        hedgeCost: hedgeCost({ operation, provider }),
        hedges: hedges({ operation, provider }),
        hedgeWins: hedgeWins({ operation, provider }),
        implausible: implausible({ operation, provider }),
        input: tokens({ direction: "input", operation, provider }),
        output: tokens({ direction: "output", operation, provider })
      }))

      const countAttempt = (operation: string, attempt: GenerationAttempt): void => {
        const { cost: paid, outcome, provider, usage } = attempt
        const metrics = attemptMetrics(operation, outcome, provider)
        metrics.attempts.updateUnsafe(1, context)
        if (usage !== undefined) {
          metrics.input.updateUnsafe(usage.inputTokens, context)
          metrics.output.updateUnsafe(usage.outputTokens, context)
        }
        if (attempt.implausible !== undefined) metrics.implausible.updateUnsafe(1, context)
        if (paid !== undefined) metrics.cost.updateUnsafe(paid, context)
        if (attempt.hedge === true) {
          metrics.hedges.updateUnsafe(1, context)
          if (outcome === "served") metrics.hedgeWins.updateUnsafe(1, context)
        }
        if (attempt.lost === true && paid !== undefined) {
          metrics.hedgeCost.updateUnsafe(paid, context)
        }
      }

      return {
        count: ({ attempts: made, cache, error = "answered", latencyMillis, operation }) => {
          const metrics = requestMetrics(operation, error)
          metrics.requests.updateUnsafe(1, context)
          metrics.seconds.updateUnsafe(latencyMillis / 1000, context)
          for (const attempt of made) countAttempt(operation, attempt)
          if (cache !== undefined) {
            const { saved, uses } = cacheMetrics(operation, cache.status)
            uses.updateUnsafe(1, context)
            if (cache.saved !== undefined) saved.updateUnsafe(cache.saved, context)
          }
        },
        toPrometheusText: (readings) =>
          Effect.map(loadPrometheusMetrics(), (PrometheusMetrics) => {
            const registry: Metric.MetricRegistry = new Map()
            for (const [key, metadata] of Context.get(context, Metric.MetricRegistry)) {
              if (metadata.id.startsWith(prefix)) registry.set(key, metadata)
            }
            const own = Context.add(context, Metric.MetricRegistry, registry)
            for (const { description, name, type, values } of readings) {
              const make = type === "counter" ? Metric.counter : Metric.gauge
              for (const { labels: attributes, value } of values) {
                make(prefix + name, { attributes, description }).updateUnsafe(value, own)
              }
            }
            return PrometheusMetrics.formatUnsafe(own)
          })
      }
    })
  )
}

/** It loads Effect's HTTP server. */
const loadPrometheusMetrics = loadOnce(() => import("effect/observability/PrometheusMetrics"))

/** The metrics with some label values, created once, because creating one searches the registry. */
const memoizeByTexts = <A>(
  make: (first: string, second: string, third: string) => A
): ((first: string, second: string, third?: string) => A) => {
  // A map for each label: joining the values would make a text for every update.
  const known = new Map<string, Map<string, Map<string, A>>>()
  return (first, second, third = "") => {
    const found = known.get(first)?.get(second)?.get(third)
    if (found !== undefined) return found
    const made = make(first, second, third)
    const bySecond = getOrAdd(known, first, () => new Map<string, Map<string, A>>())
    getOrAdd(bySecond, second, () => new Map<string, A>()).set(third, made)
    return made
  }
}

const getOrAdd = <Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value => {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}
