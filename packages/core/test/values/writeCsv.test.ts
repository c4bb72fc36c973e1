import fc from "fast-check"
import { assert, describe, it } from "vitest"
import { writeCsv } from "../../src/values/render/writeCsv.ts"

/** Reads what RFC 4180 describes. */
const readCsv = (text: string): ReadonlyArray<ReadonlyArray<string>> => {
  const rows: Array<Array<string>> = []
  let row: Array<string> = []
  const cell = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n)/gy
  for (let match = cell.exec(text); match !== null; match = cell.exec(text)) {
    const [, raw = "", end] = match
    row.push(raw.startsWith('"') ? raw.slice(1, -1).replaceAll('""', '"') : raw)
    if (end === ",") continue
    rows.push(row)
    row = []
    if (cell.lastIndex === text.length) break
  }
  return rows
}

/** The text without what keeps it from being a formula. */
const withoutMarks = (cell: string): string =>
  cell
    .replace(/^'(?=\s*[=+\-@\t\r\n\0＝＋－＠])/, "")
    .replaceAll(/([;\t\r\n])'(?=[^\S\t\r\n]*[=+\-@＝＋－＠])/g, "$1")

describe("CSV", () => {
  it("has numbers as they are, and nothing for null", () => {
    assert.strictEqual(writeCsv(["a", "b", "c"], [[-1.5, null, "x"]]), "a,b,c\r\n-1.5,,x\r\n")
  })

  it.each(["=1+1", "+1", "-1", "@SUM(A1)", " =1", "\0=1", "＝1", '=cmd|"/C calc"!A0'])(
    "lets no spreadsheet take a text for a formula: %j",
    (text) => {
      const [, row] = readCsv(writeCsv(["a"], [[text]]))
      assert.strictEqual(row?.[0], `'${text}`)
    }
  )

  it.each([
    ["ada;=1+1;x", "ada;'=1+1;x"],
    ["ada\n=1+1", "ada\n'=1+1"],
    ["ada; @SUM(A1)", "ada;' @SUM(A1)"],
    ["\t=1", "'\t'=1"],
    ["\r=1", "'\r'=1"],
    ["\n=1", "'\n'=1"],
    ["ada; bob=1", "ada; bob=1"]
  ])("began a formula after a semicolon or a line break of a text: %j", (text, expected) => {
    const [, row] = readCsv(writeCsv(["a"], [[text]]))
    assert.strictEqual(row?.[0], expected)
  })

  it("is read as it was written, whatever the texts are", () => {
    const cells = fc.array(fc.string({ unit: "grapheme" }), { minLength: 2, maxLength: 2 })
    fc.assert(
      fc.property(fc.array(cells, { maxLength: 5 }), (rows) => {
        const [, ...read] = readCsv(writeCsv(["a", "b"], rows))
        assert.deepStrictEqual(
          read.map((row) => row.map(withoutMarks)),
          rows.map((row) => row.map(withoutMarks))
        )
      })
    )
  })
})
