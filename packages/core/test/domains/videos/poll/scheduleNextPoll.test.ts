import fc from "fast-check"
import { assert, describe, it } from "vitest"
import { defaults } from "../../../../src/instance/Settings.ts"
import { scheduleNextPoll } from "../../../../src/domains/videos/poll/scheduleNextPoll.ts"

const day = 86_400_000
const settings = { ...defaults, videoPollMillis: 10_000, maxVideoPollMillis: 300_000 }

/** In milliseconds from now, for a job of this age. */
const pause = ({
  age = 0,
  everyMillis: intervalMillis,
  random = 0.5,
  retryAfterMillis,
  unanswered: failedPolls = 0
}: {
  readonly age?: number
  readonly everyMillis?: number
  readonly random?: number
  readonly retryAfterMillis?: number
  readonly unanswered?: number
}): number =>
  scheduleNextPoll(
    {
      now: age,
      createdAt: 0,
      deadlineAt: day,
      intervalMillis,
      retryAfterMillis,
      failedPolls,
      random
    },
    settings
  ) - age

describe("scheduleNextPoll", () => {
  it("uses the interval of the provider, else that of the settings", () => {
    assert.strictEqual(pause({}), 10_000)
    assert.strictEqual(pause({ everyMillis: 30_000 }), 30_000)
    assert.strictEqual(pause({ everyMillis: 400_000 }), 400_000)
  })

  it("adds a jitter of a fifth", () => {
    assert.strictEqual(pause({ random: 0 }), 8_000)
    assert.strictEqual(pause({ random: 1 }), 12_000)
  })

  it("doubles the interval after each failed poll, up to a maximum", () => {
    assert.deepStrictEqual(
      [0, 1, 2, 3, 4, 5, 99].map((unanswered) => pause({ unanswered })),
      [10_000, 20_000, 40_000, 80_000, 160_000, 300_000, 300_000]
    )
  })

  it("polls long jobs less often", () => {
    assert.strictEqual(pause({ age: 3_600_000 }), 180_000)
    assert.strictEqual(pause({ age: 20 * 3_600_000 }), 300_000)
  })

  it("respects the wait that the provider requests", () => {
    assert.strictEqual(pause({ retryAfterMillis: 50_000 }), 50_000)
    assert.strictEqual(pause({ retryAfterMillis: 1 }), 10_000)
  })

  it("limits the wait that the provider requests", () => {
    assert.strictEqual(pause({ retryAfterMillis: day }), 300_000)
    assert.strictEqual(pause({ everyMillis: 400_000, retryAfterMillis: day }), 400_000)
  })

  it("is never in the past, nor after the deadline", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 2 * day }),
        fc.nat(day),
        fc.nat(1_000),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (now, deadlineAt, failedPolls, random) => {
          const at = scheduleNextPoll(
            { now, createdAt: 0, deadlineAt, intervalMillis: undefined, failedPolls, random },
            settings
          )
          assert.isAtLeast(at, now)
          assert.isAtMost(at, Math.max(now, deadlineAt))
        }
      )
    )
  })
})
