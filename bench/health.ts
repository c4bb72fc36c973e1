/**
 * Compares health with simple hand-written counters: folding one outcome, and a snapshot of 50 endpoints. Compare ratios,
 * because absolute times depend on the machine.
 *
 * Usage: node bench/health.ts [rounds] [outcomes per round]
 */
import { Health } from "@signalbox/core/adapter"
import * as Effect from "effect/Effect"
import * as EndpointHealth from "../packages/core/src/engine/health/EndpointHealth.ts"
import type { Outcome } from "../packages/core/src/engine/health/Outcome.ts"
import { defaults } from "../packages/core/src/instance/Settings.ts"
import { median } from "./quantile.ts"

const [rounds = 9, size = 200_000] = process.argv.slice(2).map(Number)
const endpoints = Array.from({ length: 50 }, (_, index) => `bench/model@provider-${index}`)

/** 1,000 requests a second; one in 20 fails, and one in 50 is rate limited. */
const outcomes = Array.from({ length: size }, (_, index): Outcome => {
  const at = Date.now() - size + index
  const latencyMillis = 100 + Math.round(2_900 * Math.random() ** 3)
  const endpoint = endpoints[Math.floor(Math.random() * endpoints.length)] ?? ""
  const attempt = { endpoint, startedAt: at - latencyMillis, at, latencyMillis }
  const luck = Math.random()
  if (luck < 0.05) return { ...attempt, result: "failure", kind: "timeout" }
  if (luck < 0.07) return { ...attempt, result: "rate_limited", retryAfterMillis: 2_000 }
  return { ...attempt, result: "success", outputTokens: 200 }
})

const makeCounters = () => {
  const known = new Map(endpoints.map((id) => [id, { successes: 0, failures: 0, millis: 0 }]))
  for (const { endpoint, latencyMillis = 0, result } of outcomes) {
    const counter = known.get(endpoint)
    if (counter === undefined) continue
    if (result === "success") counter.successes++
    else counter.failures++
    counter.millis += latencyMillis
  }
  return known
}

const makeFold = () => {
  const known = new Map(endpoints.map((id) => [id, EndpointHealth.empty]))
  for (const outcome of outcomes) {
    const health = known.get(outcome.endpoint)
    if (health === undefined) continue
    known.set(outcome.endpoint, EndpointHealth.recordOutcome(health, outcome, defaults))
  }
  return known
}

const micros = (times: number, work: () => unknown): number => {
  const started = performance.now()
  work()
  return ((performance.now() - started) * 1_000) / times
}

const snapshots = 2_000
const measured: Record<string, Array<number>> = {
  "counters by hand, an outcome": [],
  "fold, an outcome": [],
  "record by the service, an outcome": [],
  "snapshot of 50 endpoints": [],
  "snapshot of 50 endpoints, one of them new": []
}
for (let round = 0; round < rounds; round++) {
  const health = await Effect.runPromise(Effect.provide(Health, Health.layer))
  const times = [
    micros(size, makeCounters),
    micros(size, makeFold),
    micros(size, () => outcomes.forEach(health.record)),
    micros(snapshots, () => {
      for (let each = 0; each < snapshots; each++) health.snapshot(endpoints)
    }),
    micros(snapshots, () => {
      for (const outcome of outcomes.slice(-snapshots)) {
        health.record(outcome)
        health.snapshot(endpoints)
      }
    })
  ]
  Object.values(measured).forEach((list, index) => list.push(times[index] ?? Number.NaN))
}

const base = median(measured["counters by hand, an outcome"] ?? [])
console.table(
  Object.entries(measured).map(([what, values]) => ({
    what,
    us: median(values).toFixed(3),
    "by hand = 1": (median(values) / base).toFixed(1)
  }))
)
