/** Gives heavy work a turn of the event loop of its own, so that other requests are served between two pieces of it. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { countJson, type JsonCounts } from "./countJson.ts"

/** UTF-8 bytes of JSON up to which work on it is light. Our choice: about a tenth of a millisecond for each pass. */
export const lightBytes = 65_536

/** Where turns come from: of the event loop, unless a test counts them. */
export const Turns: Context.Reference<{
  /** Is done at the beginning of a turn that nobody else is given. */
  readonly next: Effect.Effect<void>
}> = Context.Reference("@signalbox/core/values/Turns", {
  defaultValue: () => ({ next: turnOfEventLoop })
})

const waiting: Array<() => void> = []

const serveOne = (): void => {
  const begin = waiting.shift()
  if (waiting.length > 0) schedule(serveOne)
  begin?.()
}

// Browsers and some workers have no `setImmediate`.
const { setImmediate = (callback: () => void): unknown => setTimeout(callback, 0) } =
  globalThis as { readonly setImmediate?: (callback: () => void) => unknown }
const schedule = (callback: () => void): void => void setImmediate(callback)

/** One at a time: those that wait together would otherwise all be resumed in the same turn. */
const turnOfEventLoop = Effect.callback<void>((resume) => {
  let begin = () => resume(Effect.void)
  waiting.push(() => begin())
  if (waiting.length === 1) schedule(serveOne)
  return Effect.sync(() => {
    begin = () => {}
  })
})

/** Work on so many bytes of JSON begins in a turn of its own, unless it is light. */
export const ownTurn = (bytes: number): Effect.Effect<void> =>
  bytes <= lightBytes ? Effect.void : nextTurn

/** The same of work on a value. */
export const turnFor = (value: unknown): Effect.Effect<void> =>
  Effect.suspend(() => (isLight(value) ? Effect.void : nextTurn))

/** Whether work on a value is light; it is weighed no further than that. */
export const isLight = (value: unknown): boolean => {
  const weighing = countJson(value, isHeavy, 256)
  for (;;) {
    const step = weighing.next()
    if (step.done === true) return !isHeavy(step.value)
  }
}

const isHeavy = ({ leastBytes }: JsonCounts): boolean => leastBytes > lightBytes

/** The same whatever the work. */
export const nextTurn = Effect.flatMap(Turns, ({ next }) => next)
