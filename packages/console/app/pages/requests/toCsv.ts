/** Writes rows as CSV (https://www.rfc-editor.org/rfc/rfc4180). Pure. */
import { writeNumber } from "./parseFilterText.ts"

export type Cell = string | number | null | undefined

export const toCsv = (rows: ReadonlyArray<ReadonlyArray<Cell>>): string =>
  rows.map((cells) => `${cells.map(writeCell).join(",")}\r\n`).join("")

const writeCell = (cell: Cell): string => {
  if (cell === null || cell === undefined) return ""
  if (typeof cell === "number") return writeNumber(cell)
  // A spreadsheet would run it: https://owasp.org/www-community/attacks/CSV_Injection.
  const text = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
