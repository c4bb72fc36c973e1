import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import {
  checkVectors,
  countNumbers,
  decodeVector,
  encodeVector
} from "../../../src/domains/embeddings/vectors/checkVectors.ts"

const float32 = fc.float({ noNaN: true, noDefaultInfinity: true })
const vector = fc.array(float32, { minLength: 1, maxLength: 40 })

/** Decodes like OpenAI's client. */
const readAsClient = (text: string): ReadonlyArray<number> => {
  const bytes = Buffer.from(text, "base64")
  return Array.from(new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4))
}

describe("vectors in base64", () => {
  it("come back as they were", () => {
    fc.assert(
      fc.property(vector, (numbers) => {
        assert.deepStrictEqual(decodeVector(encodeVector(numbers)), numbers)
      })
    )
  })

  it("are what clients read", () => {
    fc.assert(
      fc.property(vector, (numbers) => {
        assert.deepStrictEqual(readAsClient(encodeVector(numbers)), numbers)
      })
    )
  })

  it("have a length that is known without decoding them", () => {
    fc.assert(
      fc.property(vector, (numbers) => {
        assert.strictEqual(countNumbers(encodeVector(numbers)), numbers.length)
      })
    )
  })

  it("are refused when they are not whole numbers of four bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        const text = Buffer.from(bytes).toString("base64")
        const expected = bytes.length % 4 === 0 ? bytes.length / 4 : undefined
        assert.strictEqual(countNumbers(text), expected)
        assert.strictEqual(decodeVector(text)?.length, expected)
      })
    )
    for (const text of ["a", "????", "AAAA", "AA==AA==", " AAAAAA==", "AAAAAA=\n"]) {
      assert.isUndefined(decodeVector(text), text)
    }
  })
})

const batch = fc
  .record({ count: fc.integer({ min: 1, max: 20 }), dimensions: fc.integer({ min: 1, max: 8 }) })
  .chain(({ count, dimensions }) =>
    fc.array(fc.array(float32, { minLength: dimensions, maxLength: dimensions }), {
      minLength: count,
      maxLength: count
    })
  )

const toIndexed = (vectors: ReadonlyArray<ReadonlyArray<number>>) =>
  vectors.map((vector, index) => ({ index, vector }))

describe("checked vectors", () => {
  it("are in the order of the inputs, for any order and form of the answer", () => {
    const answer = batch.chain((vectors) =>
      fc.record({
        vectors: fc.constant(vectors),
        order: fc.shuffledSubarray(
          vectors.map((_, index) => index),
          { minLength: vectors.length }
        ),
        isText: fc.boolean(),
        encoding: fc.constantFrom("float" as const, "base64" as const)
      })
    )
    fc.assert(
      fc.property(answer, ({ encoding, isText, order, vectors }) => {
        const indexed = order.map((index) => ({
          index,
          vector: isText ? encodeVector(vectors[index]!) : vectors[index]!
        }))
        const checked = checkVectors(indexed, { count: vectors.length, encoding })
        assert.deepStrictEqual(
          Result.getOrThrow(checked).vectors,
          encoding === "float" ? vectors : vectors.map(encodeVector)
        )
      })
    )
  })

  it("are refused when one is missing, repeated, of no input, or of another length", () => {
    const flaws = fc.constantFrom(
      (vectors: ReadonlyArray<{ index: number; vector: ReadonlyArray<number> }>) =>
        vectors.slice(1),
      (vectors: ReadonlyArray<{ index: number; vector: ReadonlyArray<number> }>) => [
        ...vectors.slice(1),
        { ...vectors[0]!, index: vectors.length }
      ],
      (vectors: ReadonlyArray<{ index: number; vector: ReadonlyArray<number> }>) => [
        ...vectors,
        vectors[0]!
      ],
      (vectors: ReadonlyArray<{ index: number; vector: ReadonlyArray<number> }>) => [
        { ...vectors[0]!, index: -1 },
        ...vectors.slice(1)
      ],
      (vectors: ReadonlyArray<{ index: number; vector: ReadonlyArray<number> }>) => [
        { ...vectors[0]!, vector: [] },
        ...vectors.slice(1)
      ],
      (vectors: ReadonlyArray<{ index: number; vector: ReadonlyArray<number> }>) => [
        { ...vectors[0]!, vector: [Number.NaN] },
        ...vectors.slice(1)
      ]
    )
    fc.assert(
      fc.property(batch, flaws, (vectors, spoil) => {
        const expected = { count: vectors.length, encoding: "float" } as const
        assert.isTrue(Result.isFailure(checkVectors(spoil(toIndexed(vectors)), expected)))
      })
    )
  })

  it("have the length that was asked for", () => {
    fc.assert(
      fc.property(batch, (vectors) => {
        const expected = { count: vectors.length, encoding: "base64" } as const
        const { length } = vectors[0]!
        const indexed = toIndexed(vectors)
        assert.isTrue(Result.isSuccess(checkVectors(indexed, { ...expected, dimensions: length })))
        assert.isTrue(
          Result.isFailure(checkVectors(indexed, { ...expected, dimensions: length + 1 }))
        )
      })
    )
  })
})

it("refuses a number that would be infinite in base64", () => {
  const indexed = [{ index: 0, vector: [0.5, 1e39] }]
  const check = (encoding: "base64" | "float") => checkVectors(indexed, { count: 1, encoding })
  assert.isTrue(Result.isFailure(check("base64")))
  assert.isTrue(Result.isSuccess(check("float")))
})
