import { assert, describe, it } from "vitest"
import type { ModelConfig } from "../../src/catalog/Model.ts"
import type { HealthSnapshot } from "../../src/health/HealthSnapshot.ts"
import { figuresOf } from "../../src/listing/figuresOf.ts"
import { flat, report } from "../routing/report.ts"
import { endpoint, indexed, model } from "./indexed.ts"

const measured = (latency: number, throughput: number) =>
  report({
    // Of five minutes: figures go by half an hour.
    latency: flat(1),
    throughput: flat(9_999),
    longer: {
      m30: report({ latency: flat(latency), throughput: flat(throughput) }),
      d1: report({ latency: flat(2), throughput: flat(8_888) })
    }
  })

const figures = (told: Partial<ModelConfig>, reports: HealthSnapshot["endpoints"] = {}) => {
  const { latency, throughput } = figuresOf(indexed([model("a/b", told), model("a/other")]))
  return { latency: latency(reports)[0], throughput: throughput(reports)[0] }
}

describe("the figures of a model", () => {
  it("are unknown when nobody says and nothing was measured", () => {
    assert.deepStrictEqual(figures({ endpoints: [endpoint()] }), {
      latency: Number.NaN,
      throughput: Number.NaN
    })
  })

  it("are those of its best endpoint, each on its own", () => {
    const { latency, throughput } = figures({
      endpoints: [
        endpoint({ typical: { latencyMillis: 500, throughput: 40 } }),
        endpoint({ provider: "two", typical: { latencyMillis: 900, throughput: 70 } }),
        endpoint({ provider: "three" })
      ]
    })
    assert.deepStrictEqual([latency, throughput], [500, 70])
  })

  it("are measured rather than typical, for the better and for the worse", () => {
    const endpoints = [endpoint({ typical: { latencyMillis: 500, throughput: 40 } })]
    const slow = figures({ endpoints }, { "a/b@one": measured(800, 20) })
    assert.deepStrictEqual([slow.latency, slow.throughput], [800, 20])
    const fast = figures({ endpoints }, { "a/b@one": measured(100, 90) })
    assert.deepStrictEqual([fast.latency, fast.throughput], [100, 90])
  })

  it("are typical where a report has no sample of half an hour", () => {
    const endpoints = [endpoint({ typical: { latencyMillis: 500, throughput: 40 } })]
    const stale = report({ longer: { m30: report(), d1: report({ latency: flat(1) }) } })
    const { latency, throughput } = figures({ endpoints }, { "a/b@one": stale })
    assert.deepStrictEqual([latency, throughput], [500, 40])
  })

  it("are typical again once nothing is measured any more", () => {
    const index = indexed([
      model("a/b", { endpoints: [endpoint({ typical: { throughput: 40 } })] })
    ])
    const { throughput } = figuresOf(index)
    assert.strictEqual(throughput({ "a/b@one": measured(100, 90) })[0], 90)
    assert.strictEqual(throughput({})[0], 40)
  })

  it("are untouched by endpoints nobody has, and by those of hidden models", () => {
    const hidden = model("a/hidden", { hidden: true })
    const { throughput } = figuresOf(indexed([hidden, model("a/b")]))
    const reports = { "a/hidden@one": measured(100, 90), "a/gone@one": measured(100, 80) }
    assert.deepStrictEqual(throughput(reports), Float64Array.of(Number.NaN))
  })

  it("leave out endpoints for those who ask for their tier", () => {
    const { latency, throughput } = figures(
      {
        endpoints: [
          endpoint({ typical: { latencyMillis: 500, throughput: 40 } }),
          endpoint({ variant: "priority", typical: { latencyMillis: 1, throughput: 999 } })
        ]
      },
      { "a/b@one/priority": measured(1, 999) }
    )
    assert.deepStrictEqual([latency, throughput], [500, 40])
  })
})
