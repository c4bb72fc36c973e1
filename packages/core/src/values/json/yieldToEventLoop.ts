/** Gives heavy work a turn of the event loop of its own, so that other requests are served between two pieces of it. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { countJson, type JsonCounts } from "./countJson.ts"

/** UTF-8 bytes of JSON up to which work on it is light. Our choice: about a tenth of a millisecond for each pass. */
export const maxSyncBytes = 65_536

/** Where turns come from: of the event loop, unless a test counts them. */
export const EventLoop: Context.Reference<{
  /** Is done at the beginning of a turn that nobody else is given. */
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

/** One at a time: those that wait together would otherwise all be resumed in the same turn. */
const nextTick = Effect.callback<void>((resume) => {
  let begin = () => resume(Effect.void)
  waiters.push(() => begin())
  if (waiters.length === 1) schedule(runNextWaiter)
  return Effect.sync(() => {
    begin = () => {}
  })
})

/** Work on so many bytes of JSON begins in a turn of its own, unless it is light. */
export const yieldForBytes = (bytes: number): Effect.Effect<void> =>
  bytes <= maxSyncBytes ? Effect.void : yieldToEventLoop

/** The same of work on a value. */
export const yieldForValue = (value: unknown): Effect.Effect<void> =>
  Effect.suspend(() => (isSmallJson(value) ? Effect.void : yieldToEventLoop))

/** Whether work on a value is light; it is weighed no further than that. */
export const isSmallJson = (value: unknown): boolean => {
  const weighing = countJson(value, isLarge, 256)
  for (;;) {
    const step = weighing.next()
    if (step.done === true) return !isLarge(step.value)
  }
}

const isLarge = ({ minBytes }: JsonCounts): boolean => minBytes > maxSyncBytes

/** The same whatever the work. */
export const yieldToEventLoop = Effect.flatMap(EventLoop, ({ next }) => next)
