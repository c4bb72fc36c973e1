import { assert, describe, it } from "vitest"
import * as fc from "fast-check"
import { makeChunkDecoder } from "../../../../src/engine/upstreams/transport/readText.ts"

const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 6 }),
  fc.string({ unit: "binary", maxLength: 4 }).map((text) => new TextEncoder().encode(text)),
  fc.constantFrom("\uFEFF", "\uFEFFa", "é", "").map((text) => new TextEncoder().encode(text))
)

describe("makeChunkDecoder", () => {
  it("decodes any bytes like the decoder of a stream", () => {
    fc.assert(
      fc.property(fc.array(bytes), (chunks) => {
        const expected = new TextDecoder()
        const decode = makeChunkDecoder()
        for (const chunk of chunks)
          assert.strictEqual(decode(chunk), expected.decode(chunk, { stream: true }))
      }),
      { numRuns: 2_000 }
    )
  })
})
