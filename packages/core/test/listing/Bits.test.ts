import { assert, describe, it } from "vitest"
import * as Bits from "../../src/listing/Bits.ts"

const sizes = [0, 1, 31, 32, 33, 64, 100]

const of = (size: number, places: ReadonlyArray<number>): Bits.Bits => {
  const bits = Bits.none(size)
  for (const place of places) Bits.add(bits, place)
  return bits
}
const placesOf = (bits: Bits.Bits, size: number): ReadonlyArray<number> =>
  upTo(size).filter((place) => Bits.has(bits, place))
const upTo = (size: number): ReadonlyArray<number> => Array.from({ length: size }, (_, i) => i)

describe("a set of places", () => {
  it.each(sizes)("holds all of %i places and none beyond", (size) => {
    const all = Bits.all(size)
    assert.strictEqual(Bits.count(all), size)
    assert.deepStrictEqual(placesOf(all, size), upTo(size))
    // The words have room for more: a place beyond would be found by whoever walks the words.
    assert.deepStrictEqual(placesOf(all, all.length * 32), upTo(size))
    assert.strictEqual(all.length, Math.ceil(size / 32))
  })

  it.each(sizes)("is empty of %i places at first", (size) => {
    assert.strictEqual(Bits.count(Bits.none(size)), 0)
    assert.deepStrictEqual(placesOf(Bits.none(size), size), [])
  })

  it.each(sizes)("counts each of %i places once, however often it was added", (size) => {
    const bits = Bits.none(size)
    for (const place of upTo(size)) {
      Bits.add(bits, place)
      Bits.add(bits, place)
      assert.strictEqual(Bits.count(bits), place + 1)
    }
    assert.deepStrictEqual(bits, Bits.all(size))
  })

  it("keeps what is in both, and joins what is in either", () => {
    const bits = of(70, [0, 31, 32, 63, 69])
    Bits.keep(bits, of(70, [31, 33, 63, 64]))
    assert.deepStrictEqual(placesOf(bits, 70), [31, 63])
    Bits.join(bits, of(70, [0, 63, 69]))
    assert.deepStrictEqual(placesOf(bits, 70), [0, 31, 63, 69])
  })

  it("asks about the places it holds alone, each once, from the first to the last", () => {
    const asked: Array<number> = []
    const bits = of(70, [0, 1, 31, 32, 33, 63, 64, 69])
    Bits.keepWhere(bits, (place) => {
      asked.push(place)
      return place % 2 === 1
    })
    assert.deepStrictEqual(asked, [0, 1, 31, 32, 33, 63, 64, 69])
    assert.deepStrictEqual(placesOf(bits, 70), [1, 31, 33, 63, 69])
  })

  it("keeps the places whose number is within, the ends included, and none without a number", () => {
    const column = Float64Array.from(upTo(70), (place) => (place % 10 === 5 ? Number.NaN : place))
    const bits = of(70, [0, 1, 30, 31, 32, 35, 63, 64, 65, 69])
    Bits.keepWithin(bits, column, 31, 64)
    assert.deepStrictEqual(placesOf(bits, 70), [31, 32, 63, 64])
    Bits.keepWithin(bits, column, -Infinity, Infinity)
    assert.deepStrictEqual(placesOf(bits, 70), [31, 32, 63, 64])
    Bits.keepWithin(bits, column, 64, 31)
    assert.deepStrictEqual(placesOf(bits, 70), [])
    const unknown = of(70, [5, 6])
    Bits.keepWithin(unknown, column, -Infinity, Infinity)
    assert.deepStrictEqual(placesOf(unknown, 70), [6])
  })

  it.each(sizes)("drops all of %i places when none is kept", (size) => {
    const bits = Bits.all(size)
    Bits.keepWhere(bits, () => false)
    assert.deepStrictEqual(bits, Bits.none(size))
  })
})
