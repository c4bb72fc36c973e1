import * as Headers from "effect/http/Headers"
import { assert, describe, it } from "vitest"
import { parseByteRange } from "../../../src/api/videos/contentResponse.ts"

const parseHeaders = (headers: Record<string, string>, method: "GET" | "HEAD" = "GET") =>
  parseByteRange({ method, headers: Headers.fromInput(headers) })

describe("parseByteRange", () => {
  it.each([
    ["bytes=0-0", { first: 0, last: 0 }],
    ["bytes=10-", { first: 10 }],
    ["bytes=-5", { suffix: 5 }],
    [" bytes=1-2 ", { first: 1, last: 2 }],
    ["Bytes=1-2", { first: 1, last: 2 }]
  ])("parses %j", (header, range) => {
    assert.deepStrictEqual(parseHeaders({ range: header }), range)
  })

  it.each([
    undefined,
    "",
    "bytes=",
    "bytes=-",
    "bytes=5-4",
    "bytes=0-1,3-4",
    "lines=1-2",
    "bytes=a-b",
    `bytes=0-${"9".repeat(16)}`
  ])("ignores %j", (header) => {
    assert.isUndefined(parseHeaders(header === undefined ? {} : { range: header }))
  })

  it("ignores a range of a HEAD request, and one with If-Range, which no validator can match", () => {
    const range = "bytes=1-2"
    assert.isUndefined(parseHeaders({ range }, "HEAD"))
    assert.isUndefined(parseHeaders({ range, "if-range": '"an entity tag"' }))
    assert.isUndefined(parseHeaders({ range, "if-range": "Sat, 21 Nov 2026 10:00:00 GMT" }))
  })
})
