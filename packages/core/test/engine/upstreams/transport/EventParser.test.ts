import { assert, describe, it } from "vitest"
import * as Sse from "effect/encoding/Sse"
import * as fc from "fast-check"
import { EventParser } from "../../../../src/engine/upstreams/transport/EventParser.ts"

const line = fc.oneof(
  fc.constantFrom("", "", "data", "data:", "data: ", "data:  x", "event: error", "event", ": a"),
  fc.constantFrom("datax: 1", " data: 1", "id: 7", "retry: 5", "data:a:b", "event:  b"),
  fc.string({ maxLength: 8 }).map((text) => `data: ${text.replaceAll(/[\r\n]/g, "")}`)
)
const text = fc
  .array(fc.tuple(line, fc.constantFrom("\n", "\n", "\n\n", "\r\n", "\r\n\r\n", "\r")))
  .map((lines) => lines.flat().join(""))
const chunks = fc.tuple(text, fc.array(fc.nat({ max: 12 }))).map(([whole, sizes]) => {
  const parts: Array<string> = []
  let at = 0
  for (const size of sizes) parts.push(whole.slice(at, (at += size)))
  return [...parts, whole.slice(at)]
})

describe("EventParser", () => {
  it("reads the same events as Effect's parser, however the text is split", () => {
    fc.assert(
      fc.property(chunks, fc.constantFrom(10, 1_000), (parts, maxEventSize) => {
        const expected: Array<readonly [string, string]> = []
        const other = Sse.makeParser(
          (event) => {
            if (event._tag === "Event") expected.push([event.data, event.event])
          },
          { maxEventSize }
        )
        const events: Array<readonly [string, string]> = []
        const parser = new EventParser(
          { onEvent: (data, name) => void events.push([data, name === "" ? "message" : name]) },
          maxEventSize
        )
        for (const part of parts) {
          const isAccepted = parser.feed(part)
          assert.strictEqual(isAccepted, other.feed(part) === undefined)
          if (!isAccepted) break
        }
        assert.deepStrictEqual(events, expected)
      }),
      { numRuns: 1_000 }
    )
  })
})
