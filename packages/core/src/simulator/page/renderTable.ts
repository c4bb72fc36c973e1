/** A table of text: the first columns are aligned left, the others right. */
export const renderTable = (
  head: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string>>,
  leftColumns = 1
): string => {
  const all = [head, ...rows]
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
    toLine(head),
    widths.map((width) => "─".repeat(width)).join("  "),
    ...rows.map(toLine)
  ].join("\n")
}

const countCharacters = (text: string): number => Array.from(text).length
