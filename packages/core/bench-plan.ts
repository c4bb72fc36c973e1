import * as Endpoint from "./src/catalog/Endpoint.ts"
import * as Candidate from "./src/routing/Candidate.ts"
import { plan } from "./src/routing/plan.ts"
import { priceWeighted } from "./src/routing/priceWeighted.ts"
import { ModelSlug } from "./src/values/ModelSlug.ts"
const id = ModelSlug.make("a/b")
const flat = (v: number) => ({ p50: v, p75: v * 1.5, p90: v * 2, p99: v * 4 })
for (const n of [5, 50, 500]) {
  const candidates = Array.from({ length: n }, (_, i) => {
    const endpoint = Endpoint.make(id, {
      provider: `p${i}`,
      variant: i % 3 ? "eu" : "us",
      price: { prompt: String((1 + ((i * 7919) % 97)) * 1e-6), completion: "0.000002" },
      contextLength: 100_000,
      supportedParameters: ["logprobs", "tools"],
      quantization: "fp8",
      data: { collects: false, trains: false, retains: false }
    })
    return Candidate.make({ endpoint, providerName: `Provider ${i}`, distillable: true })
  })
  const health = {
    at: 1e12,
    endpoints: Object.fromEntries(
      candidates.map(({ id }, i) => [
        id,
        {
          samples: 100,
          throughputSamples: 100,
          latency: flat(100 + i),
          throughput: flat(50 + i),
          answers: { valid: 100, invalid: i % 7 },
          errors: {},
          rateLimited: 0,
          uptime: { m5: 99 },
          breaker: { state: "closed" as const }
        }
      ])
    )
  }
  const cases = {
    none: {},
    some: { sort: "latency" as const, zdr: true, ignore: ["p3"] },
    all: {
      order: ["p4", "p2"],
      only: candidates.map((c) => c.endpoint.provider).slice(0, 30),
      ignore: ["p3"],
      zdr: true,
      data_collection: "deny" as const,
      enforce_distillable_text: true,
      quantizations: ["fp8" as const],
      max_price: { prompt: "100", completion: "100", request: "1", image: "1", audio: "1" },
      preferred_max_latency: { p50: 1, p90: 2 },
      preferred_min_throughput: { p50: 60 },
      require_parameters: true,
      sort: { by: "throughput" as const, partition: "none" as const }
    }
  }
  for (const [name, preferences] of Object.entries(cases)) {
    const run = (seed: number) =>
      plan({
        models: [{ id }],
        candidates,
        preferences,
        constraints: [],
        demand: { parameters: ["logprobs"], inputTokens: 300, outputTokens: 0 },
        health,
        minSamples: 10,
        seed,
        strategy: priceWeighted
      })
    let best = Infinity
    for (let r = 0; r < 12; r++) {
      const t = performance.now()
      for (let i = 0; i < 20000 / n; i++) run(i)
      best = Math.min(best, (performance.now() - t) / (20000 / n))
    }
    console.log(n, name, (best * 1000).toFixed(1), "us", run(1).ordered.length)
  }
}
