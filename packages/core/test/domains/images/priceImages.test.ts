/** Prices of images are exact, and no look costs more than its dearest line. */
import * as BigDecimal from "effect/BigDecimal"
import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import type { ImageLook } from "../../../src/domains/images/parseImageRequest.ts"
import {
  computeImageCost,
  type ImageCounts,
  type PriceLine,
  selectDearestLines,
  selectLines
} from "../../../src/domains/images/priceImages.ts"

const usd = (text: string) => BigDecimal.fromStringUnsafe(text)

const perImage = (price: string, variant?: string): PriceLine => ({
  billable: "output_image",
  unit: "image",
  usd: usd(price),
  ...(variant === undefined ? undefined : { variant })
})

const one: ImageCounts = { images: 1, pixels: 1_048_576, references: 0, referencePixels: 0 }
const noTokens = { inputTokens: 0, outputTokens: 0 }

const priceOf = (lines: ReadonlyArray<PriceLine>, look: ImageLook): string =>
  BigDecimal.format(
    BigDecimal.normalize(computeImageCost(selectLines(lines, look), noTokens, one) ?? usd("-1"))
  )

describe("the line of an image", () => {
  const lines = [
    perImage("0.04"),
    perImage("0.08", "hd"),
    perImage("0.08", "1792x1024"),
    perImage("0.12", "hd_1792x1024"),
    perImage("0.2", "4K")
  ]

  test.each<readonly [ImageLook, string]>([
    [{}, "0.04"],
    [{ quality: "standard" }, "0.04"],
    [{ quality: "HD" }, "0.08"],
    [{ size: "1792x1024" }, "0.08"],
    [{ quality: "hd", size: "1792x1024" }, "0.12"],
    [{ resolution: "4k" }, "0.2"],
    [{ size: "4096x4096" }, "0.2"],
    [{ aspect_ratio: "16:9" }, "0.04"]
  ])("of %j costs %s", (look, price) => {
    expect(priceOf(lines, look)).toBe(price)
  })

  test("is the dearest where none is for the image", () => {
    expect(priceOf([perImage("0.01", "low"), perImage("0.2", "high")], { quality: "medium" })).toBe(
      "0.2"
    )
  })
})

test("a cost is unknown when a count with a price is", () => {
  const line: PriceLine = { billable: "input_reference", unit: "megapixel", usd: usd("0.01") }
  expect(
    computeImageCost([line], noTokens, { ...one, references: 1, referencePixels: undefined })
  ).toBeUndefined()
  expect(computeImageCost([{ ...line, usd: undefined }], noTokens, one)).toEqual(usd("0"))
})

test("an image of a million pixels costs one megapixel", () => {
  const line: PriceLine = { billable: "output_image", unit: "megapixel", usd: usd("0.03") }
  const cost = computeImageCost([line], noTokens, { ...one, pixels: 1_000_000 })
  expect(cost && BigDecimal.equals(cost, usd("0.03"))).toBe(true)
})

const looks = fc.record(
  {
    quality: fc.constantFrom("low", "medium", "high"),
    size: fc.constantFrom("1024x1024", "1536x1024", "4096x4096"),
    background: fc.constantFrom("transparent", "opaque")
  },
  { requiredKeys: [] }
)

const lines = fc.array(
  fc.record({
    billable: fc.constantFrom("output_image", "output_text", "input_text", "input_image"),
    unit: fc.constantFrom("image", "megapixel", "token", "request"),
    usd: fc.integer({ min: 0, max: 1_000 }).map((cents) => usd(String(cents / 100))),
    variant: fc.constantFrom("low", "high", "1024x1024", "high_1536x1024", "transparent", "4K", "x")
  }),
  { maxLength: 8 }
) as fc.Arbitrary<ReadonlyArray<PriceLine>>

test("what is charged is at most what was reserved, whatever the provider chooses", () => {
  const usage = fc.record({
    inputTokens: fc.nat(1_000),
    outputTokens: fc.nat(5_000),
    imageOutputTokens: fc.nat(5_000),
    imageTokens: fc.nat(500)
  })
  fc.assert(
    fc.property(lines, looks, looks, usage, fc.nat(3), (lines, asked, chosen, most, images) => {
      // The provider chooses what the caller left open.
      const made = { ...chosen, ...asked }
      const counts = { images: 3, pixels: 3_000_000, references: 2, referencePixels: 2_000_000 }
      const reserved = computeImageCost(
        selectDearestLines(lines, asked),
        { ...most, imageTokens: Math.min(most.imageTokens, most.inputTokens) },
        counts,
        true
      )
      const charged = computeImageCost(
        selectLines(lines, made, asked),
        { ...most, imageTokens: Math.min(most.imageTokens, most.inputTokens) },
        { ...counts, images, pixels: images * 1_000_000 }
      )
      if (reserved === undefined || charged === undefined) return
      expect(BigDecimal.isLessThanOrEqualTo(charged, reserved)).toBe(true)
    })
  )
})
