import { assert, describe, it } from "vitest"
import type { ModelConfig } from "../../../src/engine/catalog/model/Model.ts"
import type { HealthSnapshot } from "../../../src/engine/health/HealthSnapshot.ts"
import { makeLiveMetrics } from "../../../src/domains/listing/LiveMetrics.ts"
import { makeFlatPercentiles, makeReport } from "../../routing/makeReport.ts"
import { makeEndpoint, makeIndex, makeModel } from "./makeIndex.ts"

const makeEndpointReport = (latency: number, throughput: number) =>
  makeReport({
    // Five minutes only; the metrics use half an hour.
    latency: makeFlatPercentiles(1),
    throughput: makeFlatPercentiles(9_999),
    longer: {
      m30: makeReport({
        latency: makeFlatPercentiles(latency),
        throughput: makeFlatPercentiles(throughput)
      }),
      d1: makeReport({ latency: makeFlatPercentiles(2), throughput: makeFlatPercentiles(8_888) })
    }
  })

const computeMetrics = (
  config: Partial<ModelConfig>,
  reports: HealthSnapshot["endpoints"] = {}
) => {
  const { latency, throughput } = makeLiveMetrics(
    makeIndex([makeModel("a/b", config), makeModel("a/other")])
  )
  return { latency: latency(reports)[0], throughput: throughput(reports)[0] }
}

describe("the metrics of a model", () => {
  it("are unknown without a catalog value and measurements", () => {
    assert.deepStrictEqual(computeMetrics({ endpoints: [makeEndpoint()] }), {
      latency: Number.NaN,
      throughput: Number.NaN
    })
  })

  it("are those of its best endpoint, for each metric", () => {
    const { latency, throughput } = computeMetrics({
      endpoints: [
        makeEndpoint({ typical: { latencyMillis: 500, throughput: 40 } }),
        makeEndpoint({ provider: "two", typical: { latencyMillis: 900, throughput: 70 } }),
        makeEndpoint({ provider: "three" })
      ]
    })
    assert.deepStrictEqual([latency, throughput], [500, 70])
  })

  it("use measured values instead of typical ones, whether better or worse", () => {
    const endpoints = [makeEndpoint({ typical: { latencyMillis: 500, throughput: 40 } })]
    const slow = computeMetrics({ endpoints }, { "a/b@one": makeEndpointReport(800, 20) })
    assert.deepStrictEqual([slow.latency, slow.throughput], [800, 20])
    const fast = computeMetrics({ endpoints }, { "a/b@one": makeEndpointReport(100, 90) })
    assert.deepStrictEqual([fast.latency, fast.throughput], [100, 90])
  })

  it("use typical values where a report has no samples of half an hour", () => {
    const endpoints = [makeEndpoint({ typical: { latencyMillis: 500, throughput: 40 } })]
    const stale = makeReport({
      longer: { m30: makeReport(), d1: makeReport({ latency: makeFlatPercentiles(1) }) }
    })
    const { latency, throughput } = computeMetrics({ endpoints }, { "a/b@one": stale })
    assert.deepStrictEqual([latency, throughput], [500, 40])
  })

  it("use typical values again once measurements expire", () => {
    const index = makeIndex([
      makeModel("a/b", { endpoints: [makeEndpoint({ typical: { throughput: 40 } })] })
    ])
    const { throughput } = makeLiveMetrics(index)
    assert.strictEqual(throughput({ "a/b@one": makeEndpointReport(100, 90) })[0], 90)
    assert.strictEqual(throughput({})[0], 40)
  })

  it("ignore unknown endpoints, and those of hidden models", () => {
    const hidden = makeModel("a/hidden", { hidden: true })
    const { throughput } = makeLiveMetrics(makeIndex([hidden, makeModel("a/b")]))
    const reports = {
      "a/hidden@one": makeEndpointReport(100, 90),
      "a/gone@one": makeEndpointReport(100, 80)
    }
    assert.deepStrictEqual(throughput(reports), Float64Array.of(Number.NaN))
  })

  it("leave out endpoints of service tiers", () => {
    const { latency, throughput } = computeMetrics(
      {
        endpoints: [
          makeEndpoint({ typical: { latencyMillis: 500, throughput: 40 } }),
          makeEndpoint({ variant: "priority", typical: { latencyMillis: 1, throughput: 999 } })
        ]
      },
      { "a/b@one/priority": makeEndpointReport(1, 999) }
    )
    assert.deepStrictEqual([latency, throughput], [500, 40])
  })
})
