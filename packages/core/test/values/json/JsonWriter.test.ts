import fc from "fast-check"
import { assert, describe, it } from "vitest"
import { scaleRuns } from "../../../../../vitest.scope.ts"
import { JsonWriter } from "../../../src/values/json/encodeJson.ts"

const writeAll = (value: unknown, characters: number, longest: number) => {
  const writer = new JsonWriter(value, longest)
  const pieces: Array<string> = []
  for (let piece = writer.write(characters); piece !== undefined;) {
    pieces.push(piece)
    piece = writer.write(characters)
  }
  return pieces
}

const leaf = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.double(),
  fc.boolean(),
  fc.constantFrom(null, undefined, "\ud800", "😀😀😀😀", new Date(0), () => 1)
)
const value = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    leaf,
    fc.array(tie("value")),
    fc.dictionary(fc.string(), tie("value")),
    fc.dictionary(fc.constantFrom("__proto__", "toJSON", "1", "0"), tie("value"), {
      noNullPrototype: true
    })
  )
})).value

describe("JsonWriter", () => {
  it("writes the output of JSON.stringify, in pieces of any size", () => {
    fc.assert(
      fc.property(
        fc.record({ value }),
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: 1, max: 10 }),
        (holder, characters, longest) => {
          assert.strictEqual(writeAll(holder, characters, longest).join(""), JSON.stringify(holder))
        }
      ),
      { numRuns: scaleRuns(1_000) }
    )
  })

  it("limits the size of a piece, up to one part", () => {
    const large = {
      text: 'a "quoted" 😀 line\n'.repeat(20_000),
      numbers: Array.from({ length: 100_000 }, (_, index) => index / 7),
      lists: Array.from({ length: 5_000 }, () => ["x", {}])
    }
    const pieces = writeAll(large, 10_000, 1_000)
    assert.strictEqual(pieces.join(""), JSON.stringify(large))
    assert.isAtMost(Math.max(...pieces.map(({ length }) => length)), 10_000 + 1_000 * 25)
  })
})
