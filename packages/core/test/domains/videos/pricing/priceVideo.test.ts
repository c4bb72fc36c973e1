import * as BigDecimal from "effect/BigDecimal"
import { assert, describe, it } from "vitest"
import * as Price from "../../../../src/engine/catalog/endpoint/Price.ts"
import type { PriceList } from "../../../../src/engine/catalog/endpoint/PriceList.ts"
import {
  type BillableUsage,
  type Skus,
  resolveSkus,
  priceVideo
} from "../../../../src/domains/videos/pricing/priceVideo.ts"

const cost = (skus: Skus, made: Partial<BillableUsage> = {}): string | undefined => {
  const usd = priceVideo(skus, { videos: 1, hasAudio: false, ...made })
  return usd === undefined ? undefined : BigDecimal.format(usd)
}

describe("priceVideo", () => {
  it.each<[string, Skus, Partial<BillableUsage>, string | undefined]>([
    ["a second", { duration_seconds: "0.1" }, { seconds: 4 }, "0.4"],
    ["half a second", { duration_seconds: "0.1" }, { seconds: 4.5 }, "0.45"],
    ["an unknown number of seconds", { duration_seconds: "0.1" }, {}, undefined],
    ["a video", { video: "0.25" }, { videos: 2 }, "0.5"],
    ["tokens", { video_tokens: "0.000001" }, { tokens: 1_000 }, "0.001"],
    ["an unknown number of tokens", { video_tokens: "0.000001" }, {}, undefined],
    ["images beside it", { video: "1", image: "0.5" }, { images: 2 }, "2"],
    ["no images", { video: "1", image: "0.5" }, {}, "1"],
    ["nothing at all", {}, { seconds: 4 }, undefined],
    ["images alone", { image: "0.5" }, { images: 1 }, undefined],
    ["0", { video: "0" }, {}, "0"]
  ])("by %s", (_, skus, made, usd) => {
    assert.strictEqual(cost(skus, made), usd)
  })

  const skus = {
    duration_seconds: "1",
    duration_seconds_with_audio: "2",
    duration_seconds_720p: "3",
    duration_seconds_720p_with_audio: "4"
  }
  it.each<[string, Partial<BillableUsage>, string]>([
    ["no price", {}, "1"],
    ["by sound", { hasAudio: true }, "2"],
    ["by resolution", { resolution: "720p" }, "3"],
    ["by both", { resolution: "720p", hasAudio: true }, "4"],
    ["by a resolution without a price of its own", { resolution: "1080p" }, "1"],
    ["by one with sound", { resolution: "1080p", hasAudio: true }, "2"]
  ])("takes the most specific price of a second: %s", (_, made, usd) => {
    assert.strictEqual(cost(skus, { seconds: 1, ...made }), usd)
  })

  const asListed = {
    duration_seconds_with_audio: "0.4",
    duration_seconds_without_audio: "0.2",
    duration_seconds_with_audio_4k: "0.6",
    duration_seconds_without_audio_720p: "0.1",
    image_to_video_duration_seconds_480p: "0.05"
  }
  it.each<[string, Partial<BillableUsage>, string]>([
    ["4K with sound", { resolution: "4K", hasAudio: true }, "0.6"],
    ["a size in pixels", { resolution: "3840x2160", hasAudio: true }, "0.6"],
    ["a resolution without sound", { resolution: "720p" }, "0.1"],
    ["a resolution that is sold with the others", { resolution: "1080p", hasAudio: true }, "0.4"],
    ["a video of an image", { resolution: "480p", images: 1 }, "0.05"],
    ["a video of no image", { resolution: "480p" }, "0.2"]
  ])("takes the price of %s as OpenRouter names it", (_, made, usd) => {
    assert.strictEqual(cost(asListed, { seconds: 1, ...made }), usd)
  })

  it("has no price for a resolution without one, or for an unknown resolution", () => {
    const only = { duration_seconds_720p: "3" }
    assert.isUndefined(cost(only, { seconds: 1, resolution: "1080p" }))
    assert.isUndefined(cost(only, { seconds: 1 }))
  })

  it.each(["-1", "", "x", "1e9999999", "NaN", "0x10", "1".repeat(99)])(
    "treats %j as no price, never as 0",
    (text) => {
      assert.isUndefined(cost({ video: text }))
    }
  )

  it("reads names as data", () => {
    assert.isUndefined(cost(Object.fromEntries([["__proto__", "1"]]), { resolution: "__proto__" }))
  })
})

const resolve = (price: PriceList, videoPrice?: Skus, pricing_skus?: Skus): Skus =>
  resolveSkus(
    { price: Price.make(price), videoPrice },
    pricing_skus === undefined ? {} : { pricing_skus }
  )

describe("resolveSkus", () => {
  it("prefers the prices of the endpoint to those of the model", () => {
    assert.deepStrictEqual(resolve({}, { video: "1" }, { video: "2" }), { video: "1" })
    assert.deepStrictEqual(resolve({}, undefined, { video: "2" }), { video: "2" })
  })

  it("uses the price of a request when videos have no other price", () => {
    assert.deepStrictEqual(resolve({ request: "0.5" }), { video: "0.5" })
    assert.deepStrictEqual(resolve({ prompt: "0", completion: "0" }), { video: "0" })
    assert.deepStrictEqual(resolve({ request: "0.5" }, { image: "1" }), {
      image: "1",
      video: "0.5"
    })
    assert.deepStrictEqual(resolve({ request: "0.5" }, { video_tokens: "1" }), {
      video_tokens: "1"
    })
  })

  it("treats a list without numbers as unknown", () => {
    assert.deepStrictEqual(resolve({}), {})
    assert.deepStrictEqual(resolve({ request: "-1" }), {})
  })
})
