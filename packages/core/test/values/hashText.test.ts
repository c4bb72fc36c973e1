import { assert, describe, it } from "vitest"
import { hashText } from "../../src/values/hashText.ts"
import { computeChiSquare, criticalChiSquare } from "../chiSquare.ts"

const samples = 65_536
const buckets = 256

/** How many hashes fall into each of the 256 buckets of 8 bits. */
const countBuckets = (hashes: ReadonlyArray<number>, shift: number): ReadonlyArray<number> => {
  const counts = Array.from({ length: buckets }, () => 0)
  for (const hash of hashes) counts[(hash >>> shift) & 255]! += 1
  return counts
}
/** Above 1 where the counts are not even, which chance makes them once in a thousand times. */
const computeUnevenness = (counts: ReadonlyArray<number>): number =>
  computeChiSquare(
    counts,
    counts.map(() => 1)
  ) / criticalChiSquare(counts.length - 1)

describe("hashText", () => {
  it("is MurmurHash3 of pairs of UTF-16 units, so that it never changes between versions", () => {
    // https://github.com/aappleby/smhasher: the x86 variant with 32 bits, of the text in UTF-16LE.
    assert.strictEqual(hashText(0, ""), 0)
    assert.strictEqual(hashText(1, ""), 0x514e28b7)
    assert.strictEqual(hashText(0xffffffff, "") >>> 0, 0x81f16f39)
  })

  it.each([
    ["numbers", (index: number) => String(index)],
    ["sessions", (index: number) => `session-${index}`],
    [
      "long texts that differ at their end",
      (index: number) => `${"You are brief. ".repeat(20)}${index}`
    ],
    ["endpoints", (index: number) => `author/model@provider-${index}`]
  ])("spreads %s evenly, by every byte of the hash and every seed", (_, toText) => {
    for (const seed of [0, 1, 0xdeadbeef]) {
      const hashes = Array.from({ length: samples }, (_, index) => hashText(seed, toText(index)))
      for (const shift of [0, 8, 16, 24]) {
        assert.isBelow(computeUnevenness(countBuckets(hashes, shift)), 1)
      }
    }
  })

  it("spreads seeds evenly over one text, independently of another text", () => {
    const pairs = Array.from({ length: samples }, (_, seed) => {
      const [one, other] = [hashText(seed, "a/b@one"), hashText(seed, "a/b@two")]
      return ((one >>> 28) << 4) | (other >>> 28)
    })
    assert.isBelow(computeUnevenness(countBuckets(pairs, 0)), 1)
  })

  it("reads at most the characters it may", () => {
    assert.strictEqual(hashText(7, "abcdef", 3), hashText(7, "abc"))
    assert.strictEqual(hashText(7, "abc", 9), hashText(7, "abc"))
    assert.notStrictEqual(hashText(7, "abc"), hashText(7, "abc\0"))
    assert.notStrictEqual(hashText(7, "ab"), hashText(8, "ab"))
  })
})
