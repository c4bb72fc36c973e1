import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { makeEventParser } from "../src/parseEvents.ts"

const parse = (...chunks: ReadonlyArray<string>): ReadonlyArray<string> => {
  const parser = makeEventParser()
  return chunks.flatMap((chunk) => [...parser(chunk)])
}

describe("makeEventParser", () => {
  it.each([
    ["line feeds", "data: a\n\ndata: b\n\n", ["a", "b"]],
    ["carriage returns and line feeds", "data: a\r\n\r\ndata: b\r\n\r\n", ["a", "b"]],
    ["carriage returns, once the next event shows them", "data: a\r\rdata: b\r\r:", ["a", "b"]],
    ["several lines of data", "data: a\ndata\ndata:b\n\n", ["a\n\nb"]],
    ["one space after the colon", "data:  a\n\n", [" a"]],
    ["comments, names and ids", ": keepalive\n\nevent: x\nid: 1\ndata: a\n\n", ["a"]],
    ["a byte order mark", "\uFEFFdata: a\n\n", ["a"]],
    ["fields whose name begins with data", "database: a\n\n", []],
    ["an event that is not complete", "data: a\n\ndata: b\n", ["a"]]
  ])("reads %s", (_, text, expected) => {
    expect(parse(text)).toEqual(expected)
  })

  it("reads the same events wherever the text is split", () => {
    const line = fc.stringMatching(/^[^\r\n\uFEFF]{0,8}$/)
    const newline = fc.constantFrom("\n", "\r\n")
    const event = fc.tuple(fc.array(line, { minLength: 1, maxLength: 3 }), newline, fc.boolean())
    const cuts = fc.array(fc.nat(80), { maxLength: 12 })
    fc.assert(
      fc.property(fc.array(event, { maxLength: 4 }), cuts, (events, cuts) => {
        const text = events
          .map(([lines, end, isSilent]) =>
            [
              ...(isSilent ? [": keepalive", ""] : []),
              ...lines.map((each) => `data: ${each}`),
              "",
              ""
            ].join(end)
          )
          .join("")
        const at = [0, ...cuts.filter((cut) => cut < text.length).toSorted((a, b) => a - b)]
        const chunks = at.map((start, index) => text.slice(start, at[index + 1]))
        expect(parse(...chunks)).toEqual(events.map(([lines]) => lines.join("\n")))
      })
    )
  })
})
