import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import {
  unknownCapabilities,
  type VideoCapabilities
} from "../../../../src/engine/catalog/model/VideoCapabilities.ts"
import { checkVideoRequest } from "../../../../src/domains/videos/request/checkVideoRequest.ts"
import { VideoRequest } from "../../../../src/domains/videos/request/VideoRequest.ts"

const generator: VideoCapabilities = {
  ...unknownCapabilities,
  supported_resolutions: ["480p", "720p"],
  supported_aspect_ratios: ["16:9", "1:1"],
  supported_sizes: ["1280x720", "854x480", "640x640"],
  supported_durations: [4, 8],
  supported_frame_images: ["first_frame"],
  generate_audio: false
}
const upscaler: VideoCapabilities = {
  ...unknownCapabilities,
  creativity: [1, 2, 3],
  upscale_factor: { min: 1, max: 4 }
}

const request = (rest: object) =>
  Schema.decodeUnknownSync(VideoRequest)({ model: "acme/reel", ...rest })

const check = (
  rest: object,
  {
    capabilities = generator,
    inputs = ["text", "image"]
  }: Partial<Parameters<typeof checkVideoRequest>[1]> = {}
) => checkVideoRequest(request({ prompt: "a fox", ...rest }), { capabilities, inputs })

const frame = (frame_type: string) => ({
  type: "image_url",
  image_url: { url: "https://example.com/a.png" },
  frame_type
})

const checkWithoutPrompt = (rest: object, inputs: ReadonlyArray<string>) =>
  checkVideoRequest(request(rest), { capabilities: unknownCapabilities, inputs })

describe("checkVideoRequest", () => {
  it.each([
    [{ resolution: "720p", aspect_ratio: "16:9", duration: 8 }],
    [{ size: "640x640" }],
    [{ seed: 7, generate_audio: false }],
    [{ frame_images: [frame("first_frame")] }]
  ])("accepts %j", (rest) => {
    expect(Result.isSuccess(check(rest))).toBe(true)
  })

  it.each([
    [{ resolution: "1080p" }, ["resolution"], "480p, 720p"],
    [{ aspect_ratio: "9:16" }, ["aspect_ratio"], "16:9, 1:1"],
    [{ size: "1920x1080" }, ["size"], "1280x720, 854x480, 640x640"],
    [{ duration: 5 }, ["duration"], "4, 8"],
    [{ duration: 4.5 }, ["duration"], "4, 8"],
    [{ frame_images: [frame("last_frame")] }, ["frame_images", 0, "frame_type"], "first_frame"],
    [
      { frame_images: [frame("first_frame"), frame("first_frame")] },
      ["frame_images", 1, "frame_type"],
      "two images"
    ],
    [{ generate_audio: true }, ["generate_audio"], "no audio"],
    [{ creativity: 2 }, ["creativity"], "upscale"],
    [{ upscale_factor: 2 }, ["upscale_factor"], "upscale"],
    [{ size: "1280x720", aspect_ratio: "1:1" }, ["aspect_ratio"], "contradicts"]
  ])("rejects %j, naming the field and its allowed values", (rest, path, said) => {
    expect(check(rest)).toMatchObject({
      failure: { path, problem: expect.stringContaining(said) }
    })
  })

  it("checks the fields of upscalers against their ranges", () => {
    const maker = { capabilities: upscaler, inputs: ["video"] }
    expect(Result.isSuccess(check({ creativity: 2, upscale_factor: 4 }, maker))).toBe(true)
    expect(check({ creativity: 9 }, maker)).toMatchObject({ failure: { path: ["creativity"] } })
    expect(check({ upscale_factor: 4.5 }, maker)).toMatchObject({
      failure: { path: ["upscale_factor"], problem: expect.stringContaining("1 to 4") }
    })
  })

  it("allows the values of the HTTP API for a model with unknown capabilities", () => {
    const maker = { capabilities: unknownCapabilities }
    expect(Result.isSuccess(check({ resolution: "360p", duration: 3.5 }, maker))).toBe(true)
    expect(check({ aspect_ratio: "5:4" }, maker)).toMatchObject({
      failure: { path: ["aspect_ratio"] }
    })
  })

  it("checks a size by ratios and resolutions when the model lists no sizes", () => {
    const maker = { capabilities: { ...generator, supported_sizes: null } }
    expect(Result.isSuccess(check({ size: "854x480" }, maker))).toBe(true)
    expect(Result.isSuccess(check({ size: "720x720" }, maker))).toBe(true)
    expect(check({ size: "720x1280" }, maker)).toMatchObject({
      failure: { path: ["size"], problem: expect.stringContaining("16:9, 1:1") }
    })
    expect(check({ size: "1920x1080" }, maker)).toMatchObject({
      failure: { path: ["size"], problem: expect.stringContaining("480p, 720p") }
    })
    expect(
      Result.isSuccess(check({ size: "1920x1081" }, { capabilities: unknownCapabilities }))
    ).toBe(true)
  })

  it("accepts a listed size of any ratio", () => {
    const maker = { capabilities: { ...generator, supported_sizes: ["720x1280"] } }
    expect(Result.isSuccess(check({ size: "720x1280" }, maker))).toBe(true)
  })

  it("requires a prompt, unless the model reads no text and there is an image", () => {
    const pictured = { frame_images: [frame("first_frame")] }
    expect(checkWithoutPrompt(pictured, ["text", "image"])).toMatchObject({
      failure: { path: ["prompt"] }
    })
    expect(Result.isSuccess(checkWithoutPrompt(pictured, ["image"]))).toBe(true)
    expect(checkWithoutPrompt({}, ["image"])).toMatchObject({ failure: { path: ["prompt"] } })
  })
})
