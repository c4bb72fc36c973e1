/** Renders a table of text. */
import { escapeControls } from "../validation/text.ts"

/** A table of text: the first columns are aligned left, the others right. */
export const renderTable = (
  head: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string>>,
  leftColumns = 1
): string => {
  // Cells hold names that others chose; a line break in one would begin a row.
  const all = [head, ...rows].map((row) => row.map(escapeControls))
  const widths = head.map((_, column) =>
    Math.max(...all.map((row) => countCharacters(row[column] ?? "")))
  )
  const toLine = (row: ReadonlyArray<string>): string =>
    head
      .map((_, column) => {
        const cell = row[column] ?? ""
        const padding = " ".repeat(widths[column]! - countCharacters(cell))
        return column < leftColumns ? cell + padding : padding + cell
      })
      .join("  ")
      .trimEnd()
  return [
    toLine(all[0] ?? []),
    widths.map((width) => "─".repeat(width)).join("  "),
    ...all.slice(1).map(toLine)
  ].join("\n")
}

const countCharacters = (text: string): number => Array.from(text).length
