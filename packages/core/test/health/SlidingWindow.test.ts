import { assert, describe, it } from "vitest"
import fc from "fast-check"
import { scaleRuns } from "../../../../vitest.scope.ts"
import * as Sliding from "../../src/health/SlidingWindow.ts"

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

  it("survives clock jumps, and then has only what happened since", () => {
    const jump = fc.oneof(fc.integer({ min: -100_000_000, max: 100_000_000 }), fc.nat(2_000))
    fc.assert(
      fc.property(history(jump), history(fc.nat(900)), (jumps, straight) => {
        const all = [...jumps, ...straight.map(({ at, id }) => ({ at, id: id + 1_000 }))]
        const sliding = slide(all)
        const buckets = [...sliding.older, ...(sliding.newest ? [sliding.newest] : [])]
        const indices = buckets.map(({ index }) => index)
        assert.deepStrictEqual(
          indices,
          [...new Set(indices)].toSorted((a, b) => a - b)
        )
        assert.isAtMost(sliding.older.length, keep / kind.bucketMillis)
        const ids = buckets.flatMap(({ value }) => value)
        assert.strictEqual(new Set(ids).size, ids.length)
        const last = all.at(-1)
        if (last !== undefined) assert.include(within(sliding, last.at), last.id)
        if (straight.length > 0 && jumps.every(({ at }) => at > last!.at + 2_000)) {
          assert.isTrue(within(sliding, last!.at).every((id) => id >= 1_000))
        }
      }),
      { numRuns: scaleRuns(1_000) }
    )
  })

  it("counts late outcomes older than a bucket in the newest one", () => {
    const sliding = slide([
      { at: 5_000, id: 1 },
      { at: 4_999, id: 2 }
    ])
    assert.deepStrictEqual(sliding, { newest: { index: 5, value: [1, 2] }, older: [] })
  })

  it("forgets outcomes that a clock set back puts in the future, and nothing else", () => {
    const sliding = slide([
      { at: 5_000, id: 1 },
      { at: 6_000, id: 2 },
      { at: 9_000, id: 3 },
      { at: 11_000, id: 4 },
      { at: 6_500, id: 5 }
    ])
    assert.deepStrictEqual(within(sliding, 6_500), [1, 2, 5])
    assert.deepStrictEqual(within(sliding, 11_000), [1, 2, 5])
    assert.deepStrictEqual(within(sliding, 5_999), [1, 2, 5])
    assert.deepStrictEqual(within(sliding, 4_999), [1])
    assert.deepStrictEqual(within(sliding, 3_999), [])
    assert.deepStrictEqual(within(slide([{ at: 9_000, id: 1 }]), 7_999), [])
    assert.deepStrictEqual(within(slide([{ at: 9_000, id: 1 }]), 8_000), [1])
  })
})
