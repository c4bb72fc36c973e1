/** Completes when what was written to a connection has left its buffer. */
import type { Writable } from "node:stream"
import * as Effect from "effect/Effect"

export const awaitDrain = (
  target: Pick<Writable, "off" | "once" | "writableNeedDrain">
): Effect.Effect<void> =>
  Effect.callback((resume) => {
    if (!target.writableNeedDrain) return resume(Effect.void)
    const drained = () => resume(Effect.void)
    target.once("drain", drained)
    return Effect.sync(() => void target.off("drain", drained))
  })
