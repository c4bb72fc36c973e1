/** What a check found, as text and as JSON. */
import { escapeControls } from "@signalbox/core/render"
import { count } from "../output/count.ts"
import type { Paint } from "../output/paint.ts"
import type { Finding } from "./Finding.ts"

export interface PlacedFinding extends Finding {
  readonly kind: "mistake" | "note" | "warning"
  /** The file, with line and column where they are known. */
  readonly place: string
}

const select = (found: ReadonlyArray<PlacedFinding>, kind: PlacedFinding["kind"]) =>
  found.filter((finding) => finding.kind === kind)

const colors = { mistake: "red", note: "bold", warning: "yellow" } as const

export const renderFindings = (found: ReadonlyArray<PlacedFinding>, paint: Paint): string => {
  const mistakes = select(found, "mistake").length
  const warnings = select(found, "warning").length
  return [
    ...found.map(({ kind, path, place, problem }) =>
      [
        paint(colors[kind], kind),
        escapeControls(`${place}: ${withPath(path.join("."), problem)}`)
      ].join(" ")
    ),
    ...(found.length === 0 ? [] : [""]),
    mistakes === 0 && warnings === 0
      ? paint("green", "No mistakes, no warnings.")
      : `${count(mistakes, "mistake")}, ${count(warnings, "warning")}.`
  ].join("\n")
}

/** Many problems begin with their path. */
const withPath = (path: string, problem: string): string =>
  path === "" || problem.startsWith(path) ? problem : `${path}: ${problem}`

export const toFindingsJson = (found: ReadonlyArray<PlacedFinding>): unknown => ({
  mistakes: select(found, "mistake").map(toJson),
  warnings: select(found, "warning").map(toJson),
  notes: select(found, "note").map(toJson)
})

const toJson = ({ path, place, problem }: PlacedFinding) => ({ place, path, problem })
