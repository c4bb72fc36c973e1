import { assert, describe, it } from "vitest"
import { assignFolds } from "../../../src/domains/calibration/chooseMap.ts"
import { isLabelWanted } from "../../../src/domains/calibration/Labeler.ts"

describe("isLabelWanted", () => {
  it("is true for 2 % of the seeds of plans, neighbours or not, and the same each time", () => {
    const seeds = Array.from({ length: 50_000 }, (_, at) => at)
    const wanted = seeds.filter(isLabelWanted)
    // Three standard deviations of a binomial of 50,000.
    assert.approximately(wanted.length, 1_000, 94)
    assert.deepStrictEqual(wanted, seeds.filter(isLabelWanted))
    const even = wanted.filter((seed) => seed % 2 === 0)
    assert.approximately(even.length, wanted.length / 2, 50)
  })
})

describe("assignFolds", () => {
  it("makes folds of equal size in which no pattern of five survives", () => {
    const folds = assignFolds(1_000, 5)
    for (let fold = 0; fold < 5; fold++) {
      const members = folds.flatMap((other, at) => (other === fold ? [at] : []))
      assert.lengthOf(members, 200)
      for (let phase = 0; phase < 5; phase++) {
        assert.approximately(members.filter((at) => at % 5 === phase).length, 40, 20)
      }
    }
    assert.deepStrictEqual(assignFolds(0, 5), [])
  })
})
