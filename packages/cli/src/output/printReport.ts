/** Prints the result of a command: text or JSON to the standard output, and a page to a file. */
import * as TerminalCapabilities from "effect/cli/TerminalCapabilities"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import { usageError } from "../usageError.ts"
import { makePaint, type Paint } from "./paint.ts"
import { clearProgress } from "./progress.ts"

export interface Report {
  readonly text: (paint: Paint) => string
  readonly json: () => unknown
}

export const printReport = Effect.fnUntraced(function* (
  report: Report,
  options: { readonly json: boolean }
) {
  yield* clearProgress
  const { canColor } = yield* TerminalCapabilities.TerminalCapabilities
  yield* Console.log(
    options.json
      ? JSON.stringify(report.json(), null, 2)
      : highlight(report.text(makePaint(canColor)), canColor)
  )
})

/** A report that can also be written to the file `html`, as a page. */
export const printPage = Effect.fnUntraced(function* (
  report: Report & { readonly html: () => string },
  options: { readonly json: boolean; readonly html: Option.Option<string> }
) {
  yield* printReport(report, options)
  if (Option.isNone(options.html)) return
  const files = yield* FileSystem.FileSystem
  const path = options.html.value
  yield* Effect.mapError(files.writeFileString(path, report.html()), (error) =>
    usageError(`Could not write ${path}: ${error.message}. Is its folder there?`, error)
  )
  yield* Console.error(`Wrote ${path}`)
})

/** Heads of tables in bold, and what to know before believing them in yellow. */
const highlight = (text: string, canColor: boolean): string => {
  if (!canColor) return text
  const lines = text.split("\n")
  return lines
    .map((line, index) =>
      lines[index + 1]?.startsWith("─") === true
        ? `\u001b[1m${line}\u001b[0m`
        : / extrapolates: |^Not ranked/.test(line)
          ? `\u001b[33m${line}\u001b[0m`
          : line
    )
    .join("\n")
}
