import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { rankResults } from "../../../src/domains/rerank/makeRerankWork.ts"

const ranked = fc
  .array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 1, maxLength: 30 })
  .chain((scores) =>
    fc.record({
      scores: fc.constant(scores),
      results: fc.shuffledSubarray(
        scores.map((score, index) => ({ index, score })),
        { minLength: scores.length }
      ),
      topN: fc.integer({ min: 1, max: scores.length })
    })
  )

describe("the results of a rerank", () => {
  it("are the best, best first, with the scores of their documents", () => {
    fc.assert(
      fc.property(ranked, ({ results, scores, topN }) => {
        const best = Result.getOrThrow(rankResults(results, { documents: scores.length, topN }))
        assert.lengthOf(best, topN)
        assert.lengthOf(new Set(best.map(({ index }) => index)), topN)
        for (const [place, { index, score }] of best.entries()) {
          assert.strictEqual(score, scores[index])
          if (place > 0) assert.isTrue(best[place - 1]!.score >= score)
        }
        const chosen = new Set(best.map(({ index }) => index))
        const lowest = best.at(-1)!.score
        assert.isTrue(scores.every((score, index) => chosen.has(index) || score <= lowest))
      })
    )
  })

  it("are refused when one is missing, repeated, or of no document", () => {
    fc.assert(
      fc.property(ranked, ({ results, scores }) => {
        const all = { documents: scores.length, topN: scores.length }
        const [first, ...others] = results
        for (const spoilt of [
          others,
          [...results, first!],
          [...others, { ...first!, index: scores.length }],
          [...others, { ...first!, index: -1 }],
          [...others, { ...first!, index: 0.5 }],
          [...others, { ...first!, score: Number.NaN }]
        ]) {
          assert.isTrue(Result.isFailure(rankResults(spoilt, all)))
        }
      })
    )
  })
})
