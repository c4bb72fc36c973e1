import { identity } from "effect/Function"
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import fc from "fast-check"
import { experimentStateCodec } from "../../../src/codecs/recordCodecs.ts"
import {
  type ArmMeasures,
  emptyMeasures
} from "../../../src/domains/experiments/ExperimentMeasures.ts"
import {
  addToState,
  getRecent,
  startRun
} from "../../../src/domains/experiments/ExperimentState.ts"
import { findRollbackCause } from "../../../src/domains/experiments/rollbackRules.ts"
import * as Histogram from "../../../src/values/Histogram.ts"
import { zero } from "../../../src/values/usage/NanoUsd.ts"

/** `millis` for nine of ten answers and `tail` for the others. */
const makeArm = (requests: number, errors: number, millis = 100, tail = millis): ArmMeasures => {
  const answers = requests - errors
  const slow = Math.round(answers / 10)
  return {
    requests,
    errors,
    latency: Histogram.addAll(
      Histogram.empty,
      [
        ...Array.from({ length: answers - slow }, () => millis),
        ...Array.from({ length: slow }, () => tail)
      ],
      identity
    ),
    cost: zero
  }
}
const judge = (control: ArmMeasures, trial: ArmMeasures) =>
  findRollbackCause({ ...emptyMeasures, control, trial })

describe("findRollbackCause", () => {
  it("concludes nothing from fewer than 200 requests of either side", () => {
    assert.isUndefined(judge(makeArm(199, 0), makeArm(5_000, 5_000)))
    assert.isUndefined(judge(makeArm(5_000, 0), makeArm(199, 199)))
  })

  it("allows five points more errors, and no more", () => {
    assert.isUndefined(judge(makeArm(200, 4), makeArm(200, 14)))
    assert.strictEqual(
      judge(makeArm(200, 4), makeArm(200, 15)),
      "7.5 % of 200 requests failed, against 2.0 % of 200 with the requested model"
    )
  })

  it("allows a p95 of one and a half times the usual one, and not of twice", () => {
    assert.isUndefined(judge(makeArm(200, 0, 100, 1_000), makeArm(200, 0, 100, 1_300)))
    const cause = judge(makeArm(200, 0, 100, 1_000), makeArm(200, 0, 100, 2_000))
    assert.match(cause ?? "", /^the p95 of 200 requests was \d+ ms, against \d+ ms of 200/)
  })

  it("judges a canary whose requests all fail by its errors alone", () => {
    assert.match(judge(makeArm(200, 0), makeArm(200, 200)) ?? "", /^100\.0 % of 200/)
  })

  it("reads the state of a version that did not count what cannot be measured", () => {
    const encoded = JSON.stringify(Schema.encodeSync(experimentStateCodec)(startRun("one", 1, 0)))
    const earlier: unknown = JSON.parse(encoded, (key, value: unknown) =>
      key === "unmeasured" ? undefined : value
    )
    assert.notDeepEqual(earlier, JSON.parse(encoded))
    const state = Schema.decodeUnknownSync(experimentStateCodec)(earlier)
    assert.deepStrictEqual(state, startRun("one", 1, 0))
  })

  it("never blames a model that is as good as the other", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 200, max: 2_000 }),
        fc.nat(200),
        fc.integer({ min: 1, max: 60_000 }),
        (requests, errors, millis) => {
          const arm = makeArm(requests, errors, millis)
          assert.isUndefined(judge(arm, arm))
        }
      )
    )
  })

  it("notices a model that turns bad after a thousand good requests", () => {
    let state = startRun("one", 1, 0)
    const measure = (failed: number) => {
      const measured = { ...emptyMeasures, control: makeArm(10, 0), trial: makeArm(10, failed) }
      state = addToState(state, 1, measured)
    }
    for (let i = 0; i < 1_000; i++) measure(0)
    assert.isUndefined(findRollbackCause(getRecent(state)))
    let needed = 0
    while (findRollbackCause(getRecent(state)) === undefined) {
      measure(5)
      needed += 10
    }
    assert.isAtMost(needed, 200)
    assert.strictEqual(state.total.trial.requests, 10_000 + needed)
  })
})
