/** The differences of two catalogs as a table. */
import { renderTable } from "@signalbox/core/render"
import { count } from "../output/count.ts"
import type { Colour, Paint } from "../output/paint.ts"
import { type CatalogDiff, type FieldChange, isSame } from "./diffCatalogs.ts"

export const renderDiff = (diff: CatalogDiff, paint: Paint): string => {
  if (isSame(diff)) return `The catalogs are the same: ${count(diff.same, "model")}.`
  const rows = [
    ...diff.added.map((model) => ["added", model]),
    ...diff.removed.map((model) => ["removed", model]),
    ...diff.changed.flatMap(({ changes, model }) =>
      changes.map((change) => ["changed", model, ...describeChange(change)])
    )
  ]
  const table = renderTable(["", "model", "field", "before", "after", "change"], rows, 3)
  const colours: Readonly<Record<string, Colour>> = { added: "green", removed: "red" }
  return [
    ...table.split("\n").map((line) => {
      const colour = colours[line.split(" ")[0] ?? ""]
      return colour === undefined ? line : paint(colour, line)
    }),
    "",
    `${diff.added.length} added, ${diff.removed.length} removed, ${diff.changed.length} changed, ${diff.same} the same.`
  ].join("\n")
}

const describeChange = ({
  after = "none",
  before = "none",
  field
}: FieldChange): ReadonlyArray<string> => {
  const ratio = Number(after) / Number(before)
  const isComparable = Number.isFinite(ratio) && Number(before) > 0 && Number(after) >= 0
  const percent = 100 * (ratio - 1)
  return [
    field,
    before,
    after,
    isComparable
      ? `${percent > 0 ? "+" : ""}${percent.toFixed(Math.abs(percent) < 10 ? 1 : 0)} %`
      : ""
  ]
}
