import fc from "fast-check"
import { assert, describe, it } from "vitest"
import { scaleRuns } from "../../../../../../vitest.scope.ts"
import { RateLimitWindows } from "../../../../src/tenants/auth/rateLimits/makeLocalLimits.ts"

const limit = (requests: number) => ({ requests, windowMillis: 10 * requests })

describe("RateLimitWindows", () => {
  it("releases the windows of 100,000 keys once they end", () => {
    const windows = new RateLimitWindows()
    for (let i = 0; i < 100_000; i++) windows.take(`key ${i}`, limit(2), i)
    assert.isAtMost(windows.size, 1000)
  })

  it("keeps all open windows, and does not restart them", () => {
    const windows = new RateLimitWindows()
    for (let i = 0; i < 100_000; i++) windows.take(`key ${i}`, limit(1), 0)
    assert.strictEqual(windows.size, 100_000)
    let begunAnew = 0
    for (let i = 0; i < 100_000; i++) {
      if (windows.take(`key ${i}`, limit(1), 5) !== 5) begunAnew++
    }
    assert.strictEqual(begunAnew, 0)
    for (let i = 0; i < 100_001; i++) windows.take(`later ${i}`, limit(1), 100)
    assert.isAtMost(windows.size, 200_000)
    for (let i = 0; i < 100_000; i++) windows.take(`last ${i}`, limit(1), 200)
    assert.isAtMost(windows.size, 200_000)
  })

  it("behaves like windows that are never released", () => {
    const steps = fc.array(
      fc.record({
        key: fc.nat(1500),
        after: fc.nat(3),
        requests: fc.integer({ min: 1, max: 3 })
      }),
      { minLength: 1500, maxLength: 3000 }
    )
    fc.assert(
      fc.property(steps, (taken) => {
        const windows = new RateLimitWindows()
        const kept = new Map<number, { count: number; endsAt: number }>()
        let now = 0
        for (const { after, key, requests } of taken) {
          now += after
          const before = kept.get(key)
          const window =
            before === undefined || before.endsAt <= now ? { count: 0, endsAt: now } : before
          const isFull = window.count >= requests
          if (!isFull) kept.set(key, { count: window.count + 1, endsAt: window.endsAt + 10 })
          assert.strictEqual(
            windows.take(String(key), limit(requests), now),
            isFull ? window.endsAt - now : 0
          )
        }
      }),
      { numRuns: scaleRuns(20) }
    )
  })
})
