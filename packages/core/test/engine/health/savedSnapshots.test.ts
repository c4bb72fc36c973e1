/** Snapshots that operators saved can be read again, also snapshots of earlier versions. */
import { assert, it } from "vitest"
import * as Schema from "effect/Schema"
import { HealthSnapshot } from "../../../src/api/reports/HealthReport.ts"
import { balanced } from "../../../src/routing/plan/strategies/strategies.ts"
import { makePricedCandidate } from "../../routing/makeCandidate.ts"
import { makePlan } from "../../routing/plan/makePlan.ts"

const earlier = {
  samples: 100,
  latency: { p50: 200, p75: 250, p90: 300, p99: 900 },
  throughputSamples: 0,
  answers: { valid: 100, invalid: 0 },
  errors: {},
  rateLimited: 0,
  uptime: { m5: 100 },
  breaker: { state: "closed" as const }
}
const decode = Schema.decodeUnknownSync(HealthSnapshot)

it("a snapshot without recent latency and attempts under way is decoded, and plans", () => {
  const health = decode({ at: 1, endpoints: { "a/b@one": earlier, "a/b@two": earlier } })
  assert.deepStrictEqual(Object.keys(health.endpoints), ["a/b@one", "a/b@two"])
  const candidates = [makePricedCandidate("one", 1), makePricedCandidate("two", 2)]
  const { ordered, strategyDefect } = makePlan(candidates, {}, { health, strategy: balanced() })
  assert.lengthOf(ordered, 2)
  assert.isUndefined(strategyDefect)
})

it("a snapshot keeps recent latency and attempts under way", () => {
  const report = {
    ...earlier,
    latency: { ...earlier.latency, p95: 500 },
    recentMillis: 210.5,
    inFlight: 3
  }
  const { endpoints } = decode({ at: 1, endpoints: { "a/b@one": report } })
  assert.deepStrictEqual(endpoints["a/b@one"], report)
})
