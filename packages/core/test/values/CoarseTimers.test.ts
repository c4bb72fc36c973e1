import { AsyncLocalStorage } from "node:async_hooks"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { minCoarseMillis, startCoarseTimer } from "../../src/values/startTimer.ts"

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] })
})
afterEach(() => {
  vi.advanceTimersByTime(1_000)
  vi.useRealTimers()
})

describe("startCoarseTimer", () => {
  it("fires once, never early, and at most a tenth of a second late", () => {
    let fired = 0
    vi.advanceTimersByTime(42)
    startCoarseTimer(minCoarseMillis, () => fired++)
    vi.advanceTimersByTime(minCoarseMillis - 1)
    expect(fired).toBe(0)
    vi.advanceTimersByTime(101)
    expect(fired).toBe(1)
    vi.advanceTimersByTime(60_000)
    expect(fired).toBe(1)
  })

  it("fires at most a fifth of a second late, whatever its length", () => {
    let fired = 0
    vi.advanceTimersByTime(42)
    startCoarseTimer(minCoarseMillis + 1.5, () => fired++)
    vi.advanceTimersByTime(minCoarseMillis + 1)
    expect(fired).toBe(0)
    vi.advanceTimersByTime(200)
    expect(fired).toBe(1)
  })

  it("fires after a host's tests have replaced the functions of the platform", () => {
    vi.useRealTimers()
    startCoarseTimer(6_000, () => {}).stop()
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] })
    let fired = 0
    startCoarseTimer(6_000, () => fired++)
    vi.advanceTimersByTime(6_100)
    expect(fired).toBe(1)
  })

  it("stops any timer of a list, also twice", () => {
    const fired: Array<string> = []
    const names = ["first", "middle", "last"]
    for (const stopped of names) {
      const timers = names.map((name) => startCoarseTimer(6_000, () => fired.push(name)))
      const timer = timers[names.indexOf(stopped)]!
      timer.stop()
      timer.stop()
      vi.advanceTimersByTime(6_100)
      expect(fired.splice(0)).toEqual(names.filter((name) => name !== stopped))
    }
  })

  it("fires timers of different lengths when each is due", () => {
    const fired: Array<number> = []
    for (const millis of [9_000, 6_000, 7_000]) {
      startCoarseTimer(millis, () => fired.push(millis))
    }
    vi.advanceTimersByTime(10_000)
    expect(fired).toEqual([6_000, 7_000, 9_000])
  })

  it("lets a timer start another one, and stop one that is due with it", () => {
    const fired: Array<string> = []
    const timers: Array<ReturnType<typeof startCoarseTimer>> = []
    startCoarseTimer(6_000, () => {
      fired.push("first")
      for (const timer of timers) timer.stop()
      startCoarseTimer(6_000, () => fired.push("again"))
    })
    timers.push(startCoarseTimer(6_000, () => fired.push("stopped")))
    vi.advanceTimersByTime(20_000)
    expect(fired).toEqual(["first", "again"])
  })

  it("leaves no interval behind, so that a process can end", () => {
    startCoarseTimer(6_000, () => {}).stop()
    expect(vi.getTimerCount()).toBe(1)
    vi.advanceTimersByTime(200)
    expect(vi.getTimerCount()).toBe(0)
  })

  it("keeps nothing of the request that starts the first timer", () => {
    const storage = new AsyncLocalStorage<string>()
    const stores: Array<string | undefined> = []
    const { setInterval } = globalThis
    vi.spyOn(globalThis, "setInterval").mockImplementation(((...given: [() => void, number]) => {
      stores.push(storage.getStore())
      return setInterval(...given)
    }) as typeof setInterval)
    storage.run("a request", () => startCoarseTimer(6_000, () => {})).stop()
    expect(stores).toEqual([undefined])
  })
})
