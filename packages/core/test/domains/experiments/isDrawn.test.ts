import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { isDrawn } from "../../../src/domains/experiments/makeExperiments.ts"

const sessions = Array.from({ length: 20_000 }, (_, i) => `session-${i}`)
const count = (share: number, experiment = "one"): number =>
  sessions.filter((session) => isDrawn(experiment, share, "acme", session)).length

describe("isDrawn", () => {
  it("draws about the share of similar names", () => {
    // Five standard deviations of 20,000 draws.
    for (const share of [0.01, 0.1, 0.5, 0.9]) {
      const deviation = Math.sqrt(share * (1 - share) * sessions.length)
      assert.closeTo(count(share), share * sessions.length, 5 * deviation)
    }
    assert.strictEqual(count(1), sessions.length)
  })

  it("keeps who is drawn when the share grows", () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true })
    fc.assert(
      fc.property(share, share, fc.string(), (one, other, session) => {
        const [small, large] = one < other ? [one, other] : [other, one]
        assert.isTrue(!isDrawn("x", small, "acme", session) || isDrawn("x", large, "acme", session))
      })
    )
  })

  it("draws for each experiment and account apart", () => {
    const both = sessions.filter(
      (session) => isDrawn("one", 0.5, "acme", session) && isDrawn("two", 0.5, "acme", session)
    )
    const accounts = sessions.filter(
      (session) => isDrawn("one", 0.5, "acme", session) && isDrawn("one", 0.5, "other", session)
    )
    for (const { length } of [both, accounts]) assert.closeTo(length, 5_000, 300)
  })
})
