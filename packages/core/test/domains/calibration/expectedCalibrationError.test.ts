import { assert, describe, it } from "vitest"
import {
  computeCalibrationError,
  computeCalibrationFigures,
  computeChanceError,
  computeEqualMassError
} from "../../../src/domains/calibration/fitGroup.ts"
import { type Forecast, wilsonInterval } from "../../../src/domains/calibration/reliability.ts"
import { makeRandom } from "../../../src/routing/plan/makeRandom.ts"

const draw = (count: number, random: () => number): ReadonlyArray<Forecast> =>
  Array.from({ length: count }, () => {
    const confidence = 0.3 + 0.7 * random()
    return { confidence, isHit: random() < confidence, weight: 1 }
  })

describe("calibration errors", () => {
  it("are the mean distance of confidence and accuracy", () => {
    const forecasts = [
      ...Array.from({ length: 8 }, (_, at) => ({ confidence: 0.9, isHit: at < 4, weight: 1 })),
      ...Array.from({ length: 2 }, () => ({ confidence: 0.2, isHit: false, weight: 1 }))
    ]
    assert.approximately(computeCalibrationError(forecasts), 0.8 * 0.4 + 0.2 * 0.2, 1e-9)
    assert.strictEqual(computeCalibrationError([]), 0)
    assert.strictEqual(computeEqualMassError([]), 0)
    assert.strictEqual(computeChanceError([]), 0)
  })

  it("of perfect forecasts are what chance alone causes", () => {
    const random = makeRandom(23)
    for (const count of [200, 1_000, 4_000]) {
      const rounds = 60
      let error = 0
      for (let round = 0; round < rounds; round++) {
        error += computeCalibrationError(draw(count, random)) / rounds
      }
      const expected = computeChanceError(draw(count, random))
      assert.approximately(error / expected, 1, 0.1, `${count} forecasts`)
    }
  })

  it("count a forecast by its weight", () => {
    const forecasts = draw(50, makeRandom(29))
    const heavy = forecasts.map((forecast) => ({ ...forecast, weight: 3 }))
    const thrice = forecasts.flatMap((forecast) => [forecast, forecast, forecast])
    assert.approximately(computeCalibrationError(heavy), computeCalibrationError(thrice), 1e-12)
  })
})

describe("computeCalibrationFigures", () => {
  it("has 15 bins, Brier score and log-likelihood", () => {
    const figures = computeCalibrationFigures("noul", [
      { probabilities: [0.8, 0.2], label: 0, weight: 1 },
      { probabilities: [0.8, 0.2], label: 1, weight: 1 },
      { probabilities: [1, 0], label: 0, weight: 2 }
    ])
    assert.strictEqual(figures.bins.length, 15)
    assert.approximately(figures.brier, (0.04 + 0.64) / 4, 1e-12)
    assert.approximately(
      figures.nll,
      -(Math.log(0.8) + Math.log(0.2) + 2 * Math.log(0.995)) / 4,
      1e-12
    )
    const last = figures.bins[14]!
    assert.deepStrictEqual(
      [last.from, last.to, last.count, last.confidence, last.accuracy],
      [14 / 15, 1, 1, 1, 1]
    )
    const choice = computeCalibrationFigures("choice", [
      { probabilities: [0.5, 0.3, 0.2], label: 1, weight: 1 }
    ])
    assert.approximately(choice.brier, 0.25 + 0.49 + 0.04, 1e-12)
  })
})

describe("wilsonInterval", () => {
  it("has the values of the literature and stays within 0 and 1", () => {
    // Newcombe (1998), table I: 81 of 263 and 15 of 148.
    const [one, other] = [wilsonInterval(81, 263), wilsonInterval(15, 148)]
    assert.approximately(one.low, 0.2553, 5e-5)
    assert.approximately(one.high, 0.3662, 5e-5)
    assert.approximately(other.low, 0.0624, 5e-5)
    assert.approximately(other.high, 0.1605, 5e-5)
    assert.deepStrictEqual(wilsonInterval(0, 0), { low: 0, high: 1 })
    assert.strictEqual(wilsonInterval(0, 20).low, 0)
    assert.strictEqual(wilsonInterval(20, 20).high, 1)
  })
})
