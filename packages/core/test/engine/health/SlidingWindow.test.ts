import { assert, describe, it } from "vitest"
import fc from "fast-check"
import { scaleRuns } from "../../../../../vitest.scope.ts"
import * as Sliding from "../../../src/engine/health/SlidingWindow.ts"

const kind: Sliding.BucketAggregator<ReadonlyArray<number>, number> = {
  bucketMillis: 1_000,
  empty: [],
  add: (all, item) => [...all, item],
  merge: (self, that) => [...self, ...that]
}
const keep = 10_000

interface Event {
  readonly at: number
  readonly id: number
}

const slide = (events: ReadonlyArray<Event>) =>
  events.reduce(
    (sliding, { at, id }) => Sliding.add(kind, sliding, id, at, keep),
    Sliding.empty as Sliding.SlidingWindow<ReadonlyArray<number>>
  )

const within = (
  sliding: Sliding.SlidingWindow<ReadonlyArray<number>>,
  now: number,
  window = keep
) => Sliding.total(kind, sliding, now, window)

const bucket = (at: number) => Math.floor(at / kind.bucketMillis)

const history = (pause: fc.Arbitrary<number>) =>
  fc.array(pause, { maxLength: 100, size: "max" }).map((pauses) => {
    let at = 1_700_000_000_000
    return pauses.map((pause, id): Event => ({ at: (at += pause), id }))
  })

describe("SlidingWindow", () => {
  it("covers the window, in no more buckets than configured", () => {
    fc.assert(
      fc.property(
        history(fc.nat(3_000)),
        fc.nat(15_000),
        fc.integer({ min: 1, max: keep }),
        (events, later, window) => {
          const sliding = slide(events)
          const now = (events.at(-1)?.at ?? 0) + later
          assert.isAtMost(sliding.older.length, keep / kind.bucketMillis)
          assert.deepStrictEqual(
            within(sliding, now, window),
            events.filter(({ at }) => (bucket(at) + 1) * 1_000 > now - window).map(({ id }) => id)
          )
        }
      ),
      { numRuns: scaleRuns(1_000) }
    )
  })

  it("counts late outcomes in the newest bucket, and forgets none for them", () => {
    const sliding = slide([
      { at: 5_000, id: 1 },
      { at: 9_000, id: 2 },
      { at: 4_999, id: 3 },
      { at: 1_000, id: 4 }
    ])
    assert.deepStrictEqual(sliding, {
      newest: { index: 9, value: [2, 3, 4] },
      older: [{ index: 5, value: [1] }]
    })
    assert.deepStrictEqual(within(sliding, 9_000), [1, 2, 3, 4])
  })
})
