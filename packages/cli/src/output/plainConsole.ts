/** The console of the command line: what it prints moves no cursor and reorders no text. */
import { escapeControls } from "@signalbox/core/render"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** Our own colours, and the ends of lines: other texts are escaped where they are put into a line or a cell. */
// oxlint-disable-next-line no-control-regex -- the pattern matches control characters
const allowed = /(\n|\u001b\[\d{1,3}(?:;\d{1,3})*m)/

/** Every other control character is escaped, as JSON does it, so that JSON stays the same JSON. */
const toPlainOutput = (text: string): string =>
  text
    .split(allowed)
    .map((part) => (allowed.test(part) ? part : escapeControls(part)))
    .join("")

type Print = (...values: ReadonlyArray<unknown>) => void

const makePlain =
  (print: Print): Print =>
  (...values) =>
    print(...values.map((value) => (typeof value === "string" ? toPlainOutput(value) : value)))

const makePlainConsole = (console: Console.Console): Console.Console =>
  Object.assign(Object.create(console), {
    log: makePlain((...values) => console.log(...values)),
    error: makePlain((...values) => console.error(...values)),
    warn: makePlain((...values) => console.warn(...values))
  })

/** In front of all that commands print, help and errors included. */
export const layerPlainConsole: Layer.Layer<never> = Layer.effect(
  Console.Console,
  Effect.map(Console.Console, makePlainConsole)
)
