/** Counts what Effect does while a piece of work runs. */
import * as Effect from "effect/Effect"
import { vi } from "vitest"

export interface FiberWork {
  readonly fibers: number
  /** How often a fiber began or went on. */
  readonly runLoops: number
  /** Contexts of fibers: one for each fiber, and one for each service that is provided or restored. */
  readonly contexts: number
}

/** The methods of fibers that Effect itself calls. */
interface FiberInternals {
  readonly runLoop: (effect: unknown) => unknown
  readonly setContext: (this: { readonly context?: unknown }, context: unknown) => void
}

/** Work of the process beside it, such as a timer that is due, only adds: the least of several rounds counts. */
export const countFiberWork = async (work: () => Promise<unknown>): Promise<FiberWork> => {
  let least = await countOnce(work)
  for (let round = 0; round < 30; round++) {
    const counted = await countOnce(work)
    if (counted.runLoops < least.runLoops) least = counted
  }
  return least
}

const countOnce = async (work: () => Promise<unknown>): Promise<FiberWork> => {
  // The class of fibers is not exported.
  const prototype: FiberInternals = Object.getPrototypeOf(Effect.runFork(Effect.void))
  const runLoop = vi.spyOn(prototype, "runLoop")
  const setContext = vi.spyOn(prototype, "setContext")
  try {
    await work()
    return {
      fibers: new Set(setContext.mock.contexts).size,
      runLoops: runLoop.mock.calls.length,
      contexts: setContext.mock.calls.length
    }
  } finally {
    runLoop.mockRestore()
    setContext.mockRestore()
  }
}
