import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { toExperimentResponse } from "../../../src/api/experiments/toExperimentResponse.ts"
import {
  addMeasures,
  type ArmMeasures,
  emptyMeasures,
  toArm
} from "../../../src/domains/experiments/ExperimentMeasures.ts"
import { startRun } from "../../../src/domains/experiments/ExperimentState.ts"
import * as NanoUsd from "../../../src/values/usage/NanoUsd.ts"

const experiment = {
  id: "experiment",
  mode: "canary",
  match: { model: "a/usual" },
  to: "a/new",
  share: 0.5
} as const

const measure = (costs: ReadonlyArray<bigint>): ArmMeasures =>
  costs.reduce(
    (sum, cost) =>
      addMeasures(sum, { ...emptyMeasures, trial: toArm("answered", 100, NanoUsd.make(cost)) }),
    emptyMeasures
  ).trial

const respond = (trial: ArmMeasures) =>
  toExperimentResponse(
    { experiment, state: { ...startRun("experiment", 1, 0), total: { ...emptyMeasures, trial } } },
    []
  ).trial

describe("the cost per request of a side", () => {
  it("has the interval of its mean, whatever the costs are", () => {
    const cost = fc.bigInt({ min: 0n, max: 1_000_000_000_000n })
    fc.assert(
      fc.property(fc.array(cost, { minLength: 30, maxLength: 60 }), (costs) => {
        const { cost_per_request: mean, cost_per_request_interval: interval } = respond(
          measure(costs)
        )
        const usd = costs.map((each) => Number(each) / 1e9)
        const expected = usd.reduce((sum, each) => sum + each, 0) / usd.length
        const squares = usd.reduce((sum, each) => sum + (each - expected) ** 2, 0)
        const spread = 1.96 * Math.sqrt(squares / (usd.length - 1) / usd.length)
        assert.closeTo(mean ?? -1, expected, 1e-6)
        assert.closeTo(interval?.low ?? -1, Math.max(0, expected - spread), 1e-6)
        assert.closeTo(interval?.high ?? -1, expected + spread, 1e-6)
      })
    )
  })

  it("has no width where all requests cost the same, however much", () => {
    const same = respond(measure(Array.from({ length: 1_000 }, () => 1_234_567_890_123n)))
    assert.deepStrictEqual(same.cost_per_request_interval, {
      low: 1_234.567890123,
      high: 1_234.567890123
    })
  })

  it("has no interval of few requests, or of those whose squares are not known", () => {
    const costs = Array.from({ length: 30 }, (_, at) => BigInt(at))
    assert.isNotNull(respond(measure(costs)).cost_per_request_interval)
    assert.isNull(respond(measure(costs.slice(1))).cost_per_request_interval)
    const { costSquares: _, ...former } = measure(costs)
    assert.isNull(respond(former).cost_per_request_interval)
    assert.strictEqual(respond(former).cost_per_request, 14.5e-9)
    assert.isNull(respond(measure([])).cost_per_request)
  })
})
