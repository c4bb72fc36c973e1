import fc from "fast-check"
import { assert, describe, it } from "vitest"
import { Windows } from "../../src/auth/Windows.ts"

const taking = (now: number, limit: number | undefined = 2) => ({
  tokens: 1,
  limit,
  millis: 10,
  now
})

describe("Windows", () => {
  it("lets the windows of 100,000 keys go once they are over", () => {
    const windows = new Windows()
    for (let i = 0; i < 100_000; i++) windows.take(`key ${i}`, taking(i))
    assert.isAtMost(windows.size, 1000)
  })

  it("keeps as many as are open together, and not one of them is begun anew", () => {
    const windows = new Windows()
    for (let i = 0; i < 100_000; i++) windows.take(`key ${i}`, taking(0))
    assert.strictEqual(windows.size, 100_000)
    let begunAnew = 0
    for (let i = 0; i < 100_000; i++) {
      if (windows.take(`key ${i}`, taking(5))[0] !== 2) begunAnew++
    }
    assert.strictEqual(begunAnew, 0)
    for (let i = 0; i < 100_001; i++) windows.take(`later ${i}`, taking(100))
    assert.isAtMost(windows.size, 200_000)
    for (let i = 0; i < 100_000; i++) windows.take(`last ${i}`, taking(200))
    assert.isAtMost(windows.size, 200_000)
  })

  it("gives what windows give of which none is ever let go", () => {
    const steps = fc.array(
      fc.record({
        key: fc.nat(1500),
        after: fc.nat(3),
        limit: fc.option(fc.nat(3), { nil: undefined })
      }),
      { minLength: 1500, maxLength: 3000 }
    )
    fc.assert(
      fc.property(steps, (taken) => {
        const windows = new Windows()
        const kept = new Map<number, { count: number; endsAt: number }>()
        let now = 0
        for (const { after, key, limit } of taken) {
          now += after
          const before = kept.get(key)
          const window =
            before === undefined || before.endsAt <= now ? { count: 0, endsAt: now } : before
          const count = window.count + 1
          if (limit === undefined || count <= limit) {
            kept.set(key, { count, endsAt: window.endsAt + 10 })
          }
          const { endsAt } = kept.get(key) ?? window
          const left = limit !== undefined && count > limit ? window.endsAt - now : endsAt - now
          assert.deepStrictEqual(windows.take(String(key), { ...taking(now), limit }), [
            count,
            left
          ])
        }
      }),
      { numRuns: 20 }
    )
  })
})
