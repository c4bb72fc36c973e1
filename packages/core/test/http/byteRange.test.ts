import { assert, describe, it } from "vitest"
import { byteRange } from "../../src/http/byteRange.ts"

describe("byteRange", () => {
  it.each([
    ["bytes=0-0", { first: 0, last: 0 }],
    ["bytes=10-", { first: 10 }],
    ["bytes=-5", { suffix: 5 }],
    [" bytes=1-2 ", { first: 1, last: 2 }]
  ])("reads %j", (header, range) => {
    assert.deepStrictEqual(byteRange(header), range)
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
    assert.isUndefined(byteRange(header))
  })
})
