import { assert, describe, it } from "vitest"
import * as Bits from "../../../src/domains/listing/BitSet.ts"

const sizes = [0, 1, 31, 32, 33, 64, 100]

const makeBitSet = (size: number, places: ReadonlyArray<number>): Bits.BitSet => {
  const bits = Bits.makeEmpty(size)
  for (const place of places) Bits.add(bits, place)
  return bits
}
const listIndexes = (bits: Bits.BitSet, size: number): ReadonlyArray<number> =>
  upTo(size).filter((place) => Bits.has(bits, place))
const upTo = (size: number): ReadonlyArray<number> => Array.from({ length: size }, (_, i) => i)

describe("BitSet", () => {
  it.each(sizes)("holds all of %i positions and none beyond", (size) => {
    const all = Bits.makeFull(size)
    assert.strictEqual(Bits.count(all), size)
    assert.deepStrictEqual(listIndexes(all, size), upTo(size))
    // The last word has unused bits, which code that walks the words would find.
    assert.deepStrictEqual(listIndexes(all, all.length * 32), upTo(size))
    assert.strictEqual(all.length, Math.ceil(size / 32))
  })

  it.each(sizes)("of %i positions is empty at first", (size) => {
    assert.strictEqual(Bits.count(Bits.makeEmpty(size)), 0)
    assert.deepStrictEqual(listIndexes(Bits.makeEmpty(size), size), [])
  })

  it.each(sizes)("counts each of %i positions once, however often it was added", (size) => {
    const bits = Bits.makeEmpty(size)
    for (const place of upTo(size)) {
      Bits.add(bits, place)
      Bits.add(bits, place)
      assert.strictEqual(Bits.count(bits), place + 1)
    }
    assert.deepStrictEqual(bits, Bits.makeFull(size))
  })

  it("intersects and unites sets", () => {
    const bits = makeBitSet(70, [0, 31, 32, 63, 69])
    Bits.intersect(bits, makeBitSet(70, [31, 33, 63, 64]))
    assert.deepStrictEqual(listIndexes(bits, 70), [31, 63])
    Bits.union(bits, makeBitSet(70, [0, 63, 69]))
    assert.deepStrictEqual(listIndexes(bits, 70), [0, 31, 63, 69])
  })

  it("visits each position that it holds once, in ascending order", () => {
    const asked: Array<number> = []
    const bits = makeBitSet(70, [0, 1, 31, 32, 33, 63, 64, 69])
    Bits.filter(bits, (place) => {
      asked.push(place)
      return place % 2 === 1
    })
    assert.deepStrictEqual(asked, [0, 1, 31, 32, 33, 63, 64, 69])
    assert.deepStrictEqual(listIndexes(bits, 70), [1, 31, 33, 63, 69])
  })

  it("keeps the positions whose number is within the range, inclusive, and none without a number", () => {
    const column = Float64Array.from(upTo(70), (place) => (place % 10 === 5 ? Number.NaN : place))
    const bits = makeBitSet(70, [0, 1, 30, 31, 32, 35, 63, 64, 65, 69])
    Bits.filterRange(bits, column, 31, 64)
    assert.deepStrictEqual(listIndexes(bits, 70), [31, 32, 63, 64])
    Bits.filterRange(bits, column, -Infinity, Infinity)
    assert.deepStrictEqual(listIndexes(bits, 70), [31, 32, 63, 64])
    Bits.filterRange(bits, column, 64, 31)
    assert.deepStrictEqual(listIndexes(bits, 70), [])
    const unknown = makeBitSet(70, [5, 6])
    Bits.filterRange(unknown, column, -Infinity, Infinity)
    assert.deepStrictEqual(listIndexes(unknown, 70), [6])
  })

  it.each(sizes)("drops all of %i positions when none is kept", (size) => {
    const bits = Bits.makeFull(size)
    Bits.filter(bits, () => false)
    assert.deepStrictEqual(bits, Bits.makeEmpty(size))
  })
})
