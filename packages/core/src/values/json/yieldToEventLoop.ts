/** Yields to the event loop around heavy work, so that other requests are served in between. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { isSmallJson, maxSyncBytes } from "./JsonCost.ts"

/** The event loop; tests replace it. */
export const EventLoop: Context.Reference<{
  /** Completes in a turn of the event loop that no other waiter shares. */
  readonly next: Effect.Effect<void>
}> = Context.Reference("@signalbox/core/values/json/EventLoop", {
  defaultValue: () => ({ next: nextTick })
})

const waiters: Array<() => void> = []

const runNextWaiter = (): void => {
  const begin = waiters.shift()
  if (waiters.length > 0) schedule(runNextWaiter)
  begin?.()
}

// Browsers and some workers have no `setImmediate`.
const { setImmediate = (callback: () => void): unknown => setTimeout(callback, 0) } =
  globalThis as { readonly setImmediate?: (callback: () => void) => unknown }
const schedule = (callback: () => void): void => void setImmediate(callback)

/** Resumes one waiter per turn. */
const nextTick = Effect.callback<void>((resume) => {
  let begin = () => resume(Effect.void)
  waiters.push(() => begin())
  if (waiters.length === 1) schedule(runNextWaiter)
  return Effect.sync(() => {
    begin = () => {}
  })
})

/** Yields before work on more than `maxSyncBytes` of JSON. */
export const yieldForBytes = (bytes: number): Effect.Effect<void> =>
  bytes <= maxSyncBytes ? Effect.void : yieldToEventLoop

/** Yields before work on a large value. */
export const yieldForValue = (value: unknown): Effect.Effect<void> =>
  Effect.suspend(() => (isSmallJson(value) ? Effect.void : yieldToEventLoop))

/** Always yields. */
export const yieldToEventLoop = Effect.flatMap(EventLoop, ({ next }) => next)
