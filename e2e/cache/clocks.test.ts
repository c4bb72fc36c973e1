/** Processes that share cached answers, and whose system clocks differ. */
import { expect, onTestFinished, test, vi } from "vitest"
import { RecordingCache } from "./RecordingCache.ts"
import { startCacheServer } from "./startCacheServer.ts"

const hour = 3_600_000

/** Turns the system clock of this process; timers go on. */
const setClock = (aheadMillis: number): void => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + aheadMillis })
  onTestFinished(() => void vi.useRealTimers())
}

test("an answer of a process whose clock is an hour ahead is not kept for an hour longer", async () => {
  const cache = new RecordingCache()
  const { ask } = await startCacheServer({ responseCache: { store: cache.store } })
  setClock(hour)
  expect((await ask()).cache).toBe("MISS")
  expect((await ask()).cache).toBe("HIT")
  vi.useRealTimers()
  expect((await ask()).cache).toBe("MISS")
  // The answer in its place is of this clock.
  const hit = await ask()
  expect(hit.cache).toBe("HIT")
  expect(Number(hit.ttl)).toBeLessThanOrEqual(300)
})
