import * as fc from "fast-check"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { unknownCapabilities } from "../../../../src/engine/catalog/model/VideoCapabilities.ts"
import {
  resolveDimensions,
  knownRatios,
  knownResolutions
} from "../../../../src/domains/videos/request/resolveDimensions.ts"

/** Sizes of models, with their resolutions and aspect ratios: https://openrouter.ai/docs/api_reference/videos. */
const named: ReadonlyArray<readonly [size: string, resolution: string, ratio: string]> = [
  ["1280x720", "720p", "16:9"],
  ["720x1280", "720p", "9:16"],
  ["854x480", "480p", "16:9"],
  ["640x640", "480p", "1:1"],
  ["992x432", "480p", "21:9"],
  ["752x560", "480p", "4:3"],
  ["1112x834", "720p", "4:3"],
  ["1470x630", "720p", "21:9"],
  ["1366x768", "768p", "16:9"],
  ["1920x1080", "1080p", "16:9"],
  ["1080x1080", "1080p", "1:1"],
  ["3840x2160", "4K", "16:9"],
  ["640x360", "360p", "16:9"]
]

const optional = <A>(value: fc.Arbitrary<A>) => fc.option(value, { nil: undefined })

describe("resolveDimensions", () => {
  it.each(named)("%s is %s at %s", (size, resolution, aspect_ratio) => {
    expect(
      Result.getOrThrow(resolveDimensions({ size, resolution, aspect_ratio }, unknownCapabilities))
    ).toEqual({
      size,
      resolution,
      aspectRatio: aspect_ratio
    })
    expect(Result.getOrThrow(resolveDimensions({ size }, unknownCapabilities))).toMatchObject({
      aspectRatio: aspect_ratio
    })
    const capabilities = { ...unknownCapabilities, supported_sizes: named.map(([each]) => each) }
    expect(
      Result.getOrThrow(resolveDimensions({ resolution, aspect_ratio }, capabilities)).size
    ).toBe(named.find(([, r, a]) => r === resolution && a === aspect_ratio)?.[0])
  })

  it("rejects a size of another ratio or resolution, naming the field", () => {
    expect(
      resolveDimensions({ size: "1280x720", aspect_ratio: "1:1" }, unknownCapabilities)
    ).toMatchObject({
      failure: { path: ["aspect_ratio"], problem: expect.stringContaining("1280x720") }
    })
    expect(
      resolveDimensions({ size: "1280x720", resolution: "1080p" }, unknownCapabilities)
    ).toMatchObject({
      failure: { path: ["resolution"] }
    })
  })

  it("keeps the requested dimensions, and never invents a size", () => {
    fc.assert(
      fc.property(
        fc.record(
          {
            size: optional(fc.constantFrom(...named.map(([size]) => size))),
            resolution: optional(fc.constantFrom(...knownResolutions)),
            aspect_ratio: optional(fc.constantFrom(...knownRatios))
          },
          { requiredKeys: [] }
        ),
        (given) => {
          const asked = JSON.parse(JSON.stringify(given)) as Record<string, string>
          const found = Result.getOrUndefined(resolveDimensions(asked, unknownCapabilities))
          expect(found !== undefined || asked["size"] !== undefined).toBe(true)
          expect(found?.size).toBe(found && asked["size"])
          expect(found?.resolution).toBe(found && (asked["resolution"] ?? found.resolution))
          expect(found?.aspectRatio).toBe(found && (asked["aspect_ratio"] ?? found.aspectRatio))
        }
      )
    )
  })
})
