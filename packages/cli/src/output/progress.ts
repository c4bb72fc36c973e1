/** Says on the standard error what takes long; only on a terminal, where the next message replaces it. */
import { escapeControls } from "@signalbox/core/render"
import * as Effect from "effect/Effect"

const isWatched = (): boolean => process.stderr.isTTY

export const showProgress = (text: string): void => {
  if (isWatched()) process.stderr.write(`\r\u001b[K${escapeControls(text)}`)
}

export const clearProgress: Effect.Effect<void> = Effect.sync(() => {
  if (isWatched()) process.stderr.write("\r\u001b[K")
})
