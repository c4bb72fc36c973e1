/**
 * Compares a plan with a hand-written sort by price: 5, 50 and 500 candidates with measurements of five minutes, and no, some
 * or all preferences. Compare ratios, because absolute times depend on the machine.
 *
 * Usage: node bench/plan.ts [rounds] [milliseconds per measurement]
 */
import * as Endpoint from "../packages/core/src/engine/catalog/endpoint/Endpoint.ts"
import type {
  EndpointReport,
  HealthSnapshot
} from "../packages/core/src/engine/health/HealthSnapshot.ts"
import * as Candidate from "../packages/core/src/routing/Candidate.ts"
import { plan } from "../packages/core/src/routing/plan/plan.ts"
import type { Preferences } from "../packages/core/src/routing/Preferences.ts"
import { priceWeighted } from "../packages/core/src/routing/plan/strategies/strategies.ts"
import { ModelSlug } from "../packages/core/src/values/ids/Ids.ts"
import { median } from "./quantile.ts"

const [rounds = 15, span = 40] = process.argv.slice(2).map(Number)
const model = ModelSlug.make("bench/model")

const makeCandidates = (count: number): ReadonlyArray<Candidate.Candidate> =>
  Array.from({ length: count }, (_, index) =>
    Candidate.make({
      endpoint: Endpoint.make(model, {
        provider: `provider-${index}`,
        variant: ["eu", "us", "asia"][index % 3] ?? "",
        price: { prompt: `${1 + ((index * 7) % 50)}e-6`, completion: `${1 + index}e-6` },
        contextLength: 128_000,
        maxCompletionTokens: 16_000,
        quantization: index % 2 === 0 ? "fp8" : "bf16",
        supportedParameters: ["structured_outputs", "logprobs", "top_logprobs"],
        data: { collects: false, trains: false, retains: false }
      }),
      providerName: `Provider ${index}`,
      distillable: true,
      needsOneOf: ["logprobs", "structured_outputs", "response_format"]
    })
  )

const toPercentiles = (value: number) => ({
  p50: value,
  p75: 1.2 * value,
  p90: 1.5 * value,
  p99: 3 * value
})

/** One endpoint in 20 has an outage, one a low uptime, and one an open breaker. */
const makeReport = (index: number): EndpointReport => ({
  samples: 200,
  latency: toPercentiles(300 + ((index * 37) % 900)),
  throughput: toPercentiles(20 + ((index * 13) % 90)),
  throughputSamples: 200,
  answers: { valid: 195, invalid: index % 5 },
  errors: { timeout: 3 },
  rateLimited: 1,
  uptime: index % 20 === 3 ? { m5: 91 } : { m5: 99.5, m30: 99.7, d1: 99.9 },
  ...(index % 20 === 7 ? { outage: { failures: 3, of: 4 } } : undefined),
  breaker:
    index % 20 === 9
      ? { state: "open", since: 0, cause: "12 of 20 failed in 60 s", nextProbeAt: 20_000 }
      : { state: "closed" }
})

const makePreferences = (count: number): Readonly<Record<string, Preferences>> => ({
  no: {},
  some: {
    ignore: ["provider-1"],
    data_collection: "deny",
    max_price: { prompt: "60" },
    sort: "latency"
  },
  all: {
    allow_fallbacks: true,
    data_collection: "deny",
    enforce_distillable_text: true,
    ignore: ["provider-1"],
    max_price: { prompt: "60", completion: "1000", image: "1", audio: "1", request: "1" },
    only: Array.from({ length: count }, (_, index) => `provider-${index}`),
    order: ["provider-4", "Provider 3", "provider-2/asia"],
    preferred_max_latency: { p50: 1, p90: 1.5 },
    preferred_min_throughput: { p50: 30, p90: 20 },
    quantizations: ["fp8", "bf16"],
    require_parameters: true,
    sort: { by: "throughput", partition: "none" },
    zdr: true
  }
})

const makePlanner = (
  candidates: ReadonlyArray<Candidate.Candidate>,
  preferences: Preferences
): (() => unknown) => {
  const health: HealthSnapshot = {
    at: 10_000,
    endpoints: Object.fromEntries(candidates.map(({ id }, index) => [id, makeReport(index)]))
  }
  let seed = 0
  return () =>
    plan({
      models: [{ id: model }],
      candidates,
      preferences,
      constraints: [],
      requirements: { parameters: ["structured_outputs"], inputTokens: 300, outputTokens: 100 },
      health,
      minSamples: 10,
      seed: seed++,
      strategy: priceWeighted
    })
}

const sortByPrice = (candidates: ReadonlyArray<Candidate.Candidate>): (() => unknown) => {
  return () =>
    candidates.toSorted(
      (self, that) =>
        self.endpoint.price.approximate.prompt - that.endpoint.price.approximate.prompt
    )
}

const micros = (work: () => unknown): number => {
  const started = performance.now()
  let times = 0
  let elapsed = 0
  while (elapsed < span) {
    for (let i = 0; i < 100; i++) work()
    times += 100
    elapsed = performance.now() - started
  }
  return (elapsed * 1_000) / times
}

const makeWorkloads = [5, 50, 500].map((count) => {
  const candidates = makeCandidates(count)
  return {
    count,
    hand: { work: sortByPrice(candidates), times: new Array<number>() },
    plans: Object.entries(makePreferences(count)).map(([asked, preferences]) => ({
      asked,
      work: makePlanner(candidates, preferences),
      times: new Array<number>()
    }))
  }
})
for (let round = 0; round < rounds; round++) {
  for (const { hand, plans } of makeWorkloads) {
    for (const { times, work } of [hand, ...plans]) times.push(micros(work))
  }
}
console.table(
  makeWorkloads.flatMap(({ count, hand, plans }) => {
    const base = median(hand.times)
    return [{ asked: "sorted by hand", times: hand.times }, ...plans].map(({ asked, times }) => ({
      candidates: count,
      preferences: asked,
      us: median(times).toFixed(2),
      "by hand = 1": (median(times) / base).toFixed(1)
    }))
  })
)
