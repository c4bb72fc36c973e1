/** Writes tables as CSV (https://www.rfc-editor.org/rfc/rfc4180), whose cells no spreadsheet takes for formulas. */

/** Texts may be chosen by strangers; numbers are written as they are, and null as nothing. */
export type CsvCell = number | string | null

/** One line for the names of the columns, and one for each row; lines end with CR LF. */
export const writeCsv = (
  columns: ReadonlyArray<string>,
  rows: Iterable<ReadonlyArray<CsvCell>>
): string => {
  const lines = [writeLine(columns)]
  for (const row of rows) lines.push(writeLine(row))
  return lines.join("")
}

const writeLine = (cells: ReadonlyArray<CsvCell>): string => `${cells.map(writeCell).join(",")}\r\n`

const writeCell = (cell: CsvCell): string => {
  if (cell === null) return ""
  if (typeof cell === "number") return String(cell)
  const whole = formulaStart.test(cell) ? `'${cell}` : cell
  const text = whole.replaceAll(formulaInside, "$&'")
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/**
 * What spreadsheets begin formulas with, after blanks too: https://owasp.org/www-community/attacks/CSV_Injection, and for NUL
 * https://asvs.emil.hemdal.se/1.2.10. The full-width forms count for some of them.
 */
const formulaStart = /^\s*[=+\-@\t\r\n\0＝＋－＠]/

/**
 * Where the comma is that of decimals, spreadsheets end cells at semicolons, and take quotes that begin after a comma for text: then
 * a semicolon or a line break in a text begins a cell.
 */
const formulaInside = /[;\t\r\n](?=[^\S\t\r\n]*[=+\-@＝＋－＠])/g

const needsQuotes = /[",\r\n;\t]|^\s|\s$/
