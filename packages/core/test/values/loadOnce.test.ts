import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { describe, expect, it } from "vitest"
import { loadOnce } from "../../src/values/layerOnDemand.ts"

/** A load that the test ends. */
const makeLoad = () => {
  const runs: Array<PromiseWithResolvers<number>> = []
  const get = loadOnce(() => {
    const run = Promise.withResolvers<number>()
    runs.push(run)
    return run.promise
  })
  return { get, runs }
}

describe("loadOnce", () => {
  it("loads nothing before the first use", () => {
    expect(makeLoad().runs).toHaveLength(0)
  })

  it("shares one load between uses at the same time", async () => {
    const { get, runs } = makeLoad()
    const both = [Effect.runPromise(get()), Effect.runPromise(get())]
    runs[0]?.resolve(7)
    expect(await Promise.all(both)).toEqual([7, 7])
    expect(runs).toHaveLength(1)
  })

  it("has the value at hand after the load", async () => {
    const { get, runs } = makeLoad()
    const first = Effect.runPromise(get())
    runs[0]?.resolve(7)
    await first
    expect(get()).toEqual(Exit.succeed(7))
  })

  it("dies when the load fails, and tries again with the next use", async () => {
    const { get, runs } = makeLoad()
    const first = Effect.runPromiseExit(get())
    const cause = new Error("no such file")
    runs[0]?.reject(cause)
    expect(await first).toEqual(Exit.die(cause))
    const second = Effect.runPromise(get())
    runs[1]?.resolve(7)
    expect(await second).toBe(7)
  })

  it("continues when the fiber that began it is interrupted", async () => {
    const { get, runs } = makeLoad()
    const first = Effect.runFork(get())
    const second = Effect.runPromise(get())
    await Effect.runPromise(Fiber.interrupt(first))
    runs[0]?.resolve(7)
    expect(await second).toBe(7)
    expect(runs).toHaveLength(1)
  })
})
