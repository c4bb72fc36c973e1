/** Counts generations: requests, attempts, tokens, money, time. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import { loadOnce } from "../../../values/loadOnce.ts"
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
      const requestsBy = memoizeByLabels(requests, ["operation", "outcome"])
      const secondsBy = memoizeByLabels(seconds, ["operation"])
      const attemptsBy = memoizeByLabels(attempts, ["operation", "outcome", "provider"])
      const tokensBy = memoizeByLabels(tokens, ["direction", "operation", "provider"])
      const costBy = memoizeByLabels(cost, ["operation", "provider"])
      const implausibleBy = memoizeByLabels(implausible, ["operation", "provider"])

      const hedgesBy = memoizeByLabels(hedges, ["operation", "provider"])
      const hedgeWinsBy = memoizeByLabels(hedgeWins, ["operation", "provider"])
      const hedgeCostBy = memoizeByLabels(hedgeCost, ["operation", "provider"])

      const countHedge = (
        operation: string,
        { cost: paid, hedge, lost, outcome, provider }: GenerationAttempt
      ): void => {
        if (hedge === true) {
          hedgesBy(operation, provider).updateUnsafe(1, context)
          if (outcome === "served") hedgeWinsBy(operation, provider).updateUnsafe(1, context)
        }
        if (lost === true && paid !== undefined) {
          hedgeCostBy(operation, provider).updateUnsafe(paid, context)
        }
      }

      return {
        count: ({ attempts: made, error = "answered", latencyMillis, operation }) => {
          requestsBy(operation, error).updateUnsafe(1, context)
          secondsBy(operation).updateUnsafe(latencyMillis / 1000, context)
          for (const attempt of made) {
            const { cost: paid, implausible: excess, outcome, provider, usage } = attempt
            if (attempt.hedge === true || attempt.lost === true) countHedge(operation, attempt)
            attemptsBy(operation, outcome, provider).updateUnsafe(1, context)
            if (usage !== undefined) {
              tokensBy("input", operation, provider).updateUnsafe(usage.inputTokens, context)
              tokensBy("output", operation, provider).updateUnsafe(usage.outputTokens, context)
            }
            if (excess !== undefined) implausibleBy(operation, provider).updateUnsafe(1, context)
            if (paid !== undefined) costBy(operation, provider).updateUnsafe(paid, context)
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

/** A metric by its label values, created once each, because creating one searches the registry. */
const memoizeByLabels = <Input, State>(
  make: (labels: Labels) => Metric.Metric<Input, State>,
  names: ReadonlyArray<string>
): ((first: string, second?: string, third?: string) => Metric.Metric<Input, State>) => {
  // A map for each label: joining the values would make a text for every update.
  const known = new Map<string, Map<string, Map<string, Metric.Metric<Input, State>>>>()
  return (first, second = "", third = "") => {
    const found = known.get(first)?.get(second)?.get(third)
    if (found !== undefined) return found
    const values = [first, second, third]
    const made = make(Object.fromEntries(names.map((name, index) => [name, values[index] ?? ""])))
    const bySecond = getOrAdd(known, first, () => new Map())
    getOrAdd(bySecond, second, () => new Map()).set(third, made)
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
