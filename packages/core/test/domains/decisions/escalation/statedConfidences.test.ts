/** Thresholds learned from labels, which have 32-bit floats, meet answers, which have 64-bit floats. */
import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import {
  calibrateStored,
  makeAccountMaps
} from "../../../../src/domains/calibration/AccountMaps.ts"
import type {
  CalibrationMap,
  QuestionKind
} from "../../../../src/domains/calibration/CalibrationMap.ts"
import { makeCalibrator } from "../../../../src/domains/calibration/makeCalibrator.ts"
import { decodeFloats, encodeFloats } from "../../../../src/domains/calibration/QuestionHasher.ts"
import { computeConfidence } from "../../../../src/domains/decisions/escalation/computeConfidence.ts"
import {
  findShareThreshold,
  findThreshold,
  isBelow
} from "../../../../src/domains/decisions/escalation/findThreshold.ts"
import { normalize } from "../../../../src/questions/distribution.ts"
import { makeRandom } from "../../../../src/routing/plan/makeRandom.ts"

const maps: Readonly<Record<string, CalibrationMap>> = {
  none: { type: "none" },
  temperature: { type: "temperature", temperature: 1.7 },
  platt: { type: "platt", slope: 0.6, intercept: 0.1 },
  isotonic: {
    type: "isotonic",
    base: { type: "temperature", temperature: 1.3 },
    points: [
      [0.3, 0.2],
      [0.6, 0.6],
      [0.601, 0.9],
      [1, 0.95]
    ]
  },
  discrete: { type: "discrete", share: 0.8 }
}
const group = { model: "a/b", method: "stated" }

const makeCalibratorOf = (kind: QuestionKind, map: CalibrationMap) => {
  const figures = {
    ece: 0,
    equalMassEce: 0,
    chanceEce: 0,
    brier: 0,
    nll: 0,
    bins: []
  }
  const all = { samples: 100, before: figures, after: figures }
  const stored = {
    ...group,
    kind,
    fitted: { fittedAt: 0, maps: [{ map, scores: "", all, recent: all }] }
  }
  const accountMaps = makeAccountMaps([stored], 1)
  return { accountMaps, calibrator: makeCalibrator(new Map(), accountMaps) }
}

describe("a confidence", () => {
  it("is the same number for an answer and for its label, for any map and precision", () => {
    fc.assert(
      fc.property(
        fc.constantFrom<QuestionKind>("noul", "choice", "score"),
        fc.constantFrom(...Object.values(maps)),
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 2, maxLength: 6 }),
        fc.boolean(),
        (kind, map, drawn, isFloat32) => {
          fc.pre((map.type === "platt") === (kind === "noul" && map.type === "platt"))
          const given = kind === "noul" ? drawn.slice(0, 2) : drawn
          const weights = isFloat32 ? given.map(Math.fround) : given
          const { accountMaps, calibrator } = makeCalibratorOf(kind, map)
          const reply = {
            verdicts: new Map([["q", { weights }]]),
            usage: { inputTokens: 0, outputTokens: 0 },
            method: "stated"
          }
          const served = calibrator.toStoredProbabilities(kind, "q", reply, group.model)
          // The probabilities as a record and its label keep them.
          const labeled = calibrateStored(
            kind,
            accountMaps.find({ ...group, kind }, undefined),
            Array.from(decodeFloats(encodeFloats(normalize(weights))))
          )
          assert.strictEqual(computeConfidence(kind, served), computeConfidence(kind, labeled))
        }
      )
    )
  })

  it("has as many values as the steps of what is stated, on both sides of one half", () => {
    for (const steps of [4, 10, 20, 50]) {
      const values = new Set<number>()
      for (let step = 0; step <= steps; step++) {
        const yes = step * (1 / steps)
        values.add(computeConfidence("noul", [yes, 1 - yes]))
        values.add(computeConfidence("noul", [yes, 1 - yes].map(Math.fround)))
        values.add(computeConfidence("noul", [1 - yes, yes].map(Math.fround)))
      }
      assert.strictEqual(values.size, steps / 2 + 1, String(steps))
    }
  })
})

const drawPairs = (count: number, steps: number, seed: number) => {
  const random = makeRandom(seed)
  return Array.from({ length: count }, () => {
    const yes = 0.5 + (Math.floor(random() * (steps + 1)) * 0.5) / steps
    const isRight = random() < yes
    return { yes, isRight, isOtherRight: random() < 0.98 }
  })
}
/** A label has 32-bit floats. */
const toConfidence = (yes: number, isStored: boolean) =>
  computeConfidence("noul", isStored ? [yes, 1 - yes].map(Math.fround) : [yes, 1 - yes])

describe("a threshold among ties", () => {
  it("keeps the stated accuracy with two to fifty distinct confidences", () => {
    for (const steps of [2, 5, 10, 20, 50]) {
      for (const target of [0.8, 0.9, 0.95]) {
        let met = 0
        for (let seed = 0; seed < 20; seed++) {
          const labels = drawPairs(1_000, steps, seed).map((pair) => ({
            ...pair,
            confidence: toConfidence(pair.yes, true)
          }))
          const threshold = findThreshold(labels, target)
          const draw = makeRandom(seed)
          const later = drawPairs(4_000, steps, seed + 1_000)
          const right = later.filter(({ isOtherRight, isRight, yes }) =>
            isBelow(threshold, toConfidence(yes, false), draw) ? isOtherRight : isRight
          )
          if (right.length / later.length >= target * 0.98 - 0.01) met += 1
        }
        assert.isAtLeast(met, 16, `${steps} steps, ${target}`)
      }
    }
  })

  it("divides the ties so that the share is held", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 50 }),
        fc.double({ min: 0.05, max: 0.95, noNaN: true }),
        fc.integer(),
        (steps, share, seed) => {
          const pairs = drawPairs(2_000, steps, seed)
          const threshold = findShareThreshold(
            pairs.map(({ yes }) => toConfidence(yes, true)),
            share
          )
          const draw = makeRandom(seed ^ 0x5bd1)
          const asked = pairs.filter(({ yes }) =>
            isBelow(threshold, toConfidence(yes, false), draw)
          )
          assert.approximately(asked.length / pairs.length, share, 0.06)
        }
      )
    )
  })
})
