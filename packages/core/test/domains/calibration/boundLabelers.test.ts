import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { boundCounts, boundWeights } from "../../../src/domains/calibration/joinPairs.ts"
import type { CalibrationSample } from "../../../src/domains/calibration/CalibrationSample.ts"
import { type Labeler, toLabelerKey } from "../../../src/domains/calibration/Labeler.ts"
import { GenerationId } from "../../../src/values/ids/GenerationId.ts"
import { defaultAccountId } from "../../../src/values/ids/Ids.ts"

const makeSamples = (
  count: number,
  labeler: Labeler | undefined,
  weight = 1
): ReadonlyArray<CalibrationSample> =>
  Array.from({ length: count }, (_, at) => ({
    account: defaultAccountId,
    generation: GenerationId.make(`gen-dec-${at}`),
    name: "n",
    question: "q",
    model: "a/b",
    method: "stated",
    kind: "noul",
    probabilities: [0.5, 0.5],
    label: 0,
    weight,
    ...(labeler === undefined ? undefined : { labeler }),
    askedAt: 0,
    labeledAt: 0
  }))

const sumWeights = (samples: ReadonlyArray<CalibrationSample>) => {
  const sums = new Map<string, number>()
  for (const { labeler, weight } of samples) {
    const key = labeler === undefined ? "none" : toLabelerKey(labeler)
    sums.set(key, (sums.get(key) ?? 0) + weight)
  }
  return sums
}

const ann = { user: "ann" }
const bob = { user: "bob", key: "k" }
const manager = { key: "m", isManager: true } as const

describe("boundWeights", () => {
  it("leaves a sole labeler, managers and labels of earlier versions as they are", () => {
    for (const samples of [
      makeSamples(500, ann),
      [...makeSamples(500, manager), ...makeSamples(20, ann)],
      [...makeSamples(500, undefined), ...makeSamples(20, ann)]
    ]) {
      assert.strictEqual(boundWeights(samples), samples)
      assert.strictEqual(boundCounts(samples), samples)
    }
  })

  it("lets a member outweigh neither the others nor, with few others, fifty answers", () => {
    const many = sumWeights(boundWeights([...makeSamples(900, ann), ...makeSamples(200, manager)]))
    assert.approximately(many.get(toLabelerKey(ann))!, 200, 1e-6)
    const few = sumWeights(boundWeights([...makeSamples(900, ann), ...makeSamples(2, bob)]))
    assert.approximately(few.get(toLabelerKey(ann))!, 50, 1e-6)
    const counted = boundCounts([...makeSamples(900, ann), ...makeSamples(200, manager)])
    assert.lengthOf(counted, 400)
  })

  it("counts the keys of a user together", () => {
    const samples = [
      ...makeSamples(300, { user: "ann", key: "a" }),
      ...makeSamples(300, { user: "ann", key: "b" }),
      ...makeSamples(100, manager)
    ]
    const sums = sumWeights(boundWeights(samples))
    assert.approximately(sums.get(toLabelerKey(ann))!, 100, 1e-6)
  })

  it("bounds the share of every member to a half, with any weights", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            count: fc.integer({ min: 1, max: 300 }),
            weight: fc.double({ min: 1, max: 1e6, noNaN: true })
          }),
          { minLength: 2, maxLength: 5 }
        ),
        (labelers) => {
          const samples = labelers.flatMap(({ count, weight }, at) =>
            makeSamples(count, { user: `user ${at}` }, weight)
          )
          const before = sumWeights(samples)
          const total = Array.from(before.values()).reduce((sum, each) => sum + each, 0)
          for (const [key, weight] of sumWeights(boundWeights(samples))) {
            const others = total - before.get(key)!
            assert.isAtMost(weight, Math.max(others, 50) * (1 + 1e-9))
          }
        }
      )
    )
  })
})
