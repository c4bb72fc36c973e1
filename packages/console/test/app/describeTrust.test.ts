import { describe, expect, it } from "vitest"
import {
  answerTrust,
  type CalibrationMap,
  countWantedLabels,
  describeMapTrust
} from "../../app/pages/calibration/describeTrust.ts"

const makeFigures = (ece: number, chance: number) => ({
  ece,
  ece_equal_mass: ece,
  ece_by_chance: chance,
  brier: 0.2,
  nll: 0.5,
  bins: []
})

const makeMap = (change: Partial<CalibrationMap> = {}): CalibrationMap => {
  const figures = {
    samples: 400,
    before: makeFigures(0.2, 0.02),
    after: makeFigures(0.03, 0.02)
  }
  return {
    model: "demo/judge",
    method: "native",
    kind: "noul",
    question: null,
    map: "platt",
    parameters: {},
    fitted_at: "2026-11-30T00:00:00.000Z",
    labeled_by: [],
    ...figures,
    recent: figures,
    ...change
  }
}

describe("how far probabilities can be trusted", () => {
  it("is said once over all kinds, and not again for their questions", () => {
    expect(answerTrust([makeMap(), makeMap({ question: "urgent", samples: 300 })])).toBe(
      "To within 3.0 points on average, as far as 400 labels can tell. Without calibration, they are off by 20.0 points."
    )
  })

  it("is never better than chance lets labels show", () => {
    expect(answerTrust([makeMap({ samples: 50, after: makeFigures(0.001, 0.05) })])).toContain(
      "To within 5.0 points on average, as far as 50 labels can tell."
    )
  })

  it("names the kind of which the least is known", () => {
    const choice = makeMap({ kind: "choice", after: makeFigures(0.09, 0.02) })
    expect(answerTrust([makeMap(), choice])).toContain(
      "The least is known of choice answers of demo/judge: 9.0 points."
    )
  })

  it("is not known without labels", () => {
    expect(answerTrust([])).toBe("It is not known: no answer has been labelled.")
  })
})

describe("the labels that are wanted", () => {
  it.each([
    [100, 0.04, 300],
    [400, 0.02, 0],
    [1_000, 0.01, 0],
    [60, 0.047, 280]
  ])("after %i labels with an error of %f by chance are %i", (samples, chance, wanted) => {
    expect(countWantedLabels(samples, chance)).toBe(wanted)
  })

  it("are said with what calibration does", () => {
    expect(describeMapTrust(makeMap())).toBe(
      "Calibration takes the error from 20.0 points to 3.0 points. Chance alone would cause 2.0 points of it. There are enough labels to see an error of 2 points."
    )
  })
})
