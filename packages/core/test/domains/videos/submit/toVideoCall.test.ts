import { assert, describe, it } from "vitest"
import * as VideoCapabilities from "../../../../src/engine/catalog/model/VideoCapabilities.ts"
import { ProviderSlug } from "../../../../src/values/ids/Ids.ts"
import { toVideoCall } from "../../../../src/domains/videos/submit/toVideoCall.ts"
import { VideoJobId } from "../../../../src/domains/videos/VideoJobId.ts"
import type { VideoRequest } from "../../../../src/domains/videos/request/VideoRequest.ts"

const id = VideoJobId.make("gen-vid-1-aaaaaaaaaaaaaaaaaaaa")
const call = (request: VideoRequest, passed?: ReadonlyArray<string>) =>
  toVideoCall(
    { id, request, dimensions: {} },
    {
      endpoint: { provider: ProviderSlug.make("one"), upstreamModel: "m" },
      capabilities:
        passed === undefined
          ? undefined
          : { ...VideoCapabilities.unknownCapabilities, allowed_passthrough_parameters: passed }
    }
  )

describe("toVideoCall", () => {
  it("has what defines the video, and nothing about the caller", () => {
    assert.deepStrictEqual(
      call({
        model: "a/b",
        prompt: "p",
        seed: 0,
        generate_audio: false,
        frame_images: [
          { type: "image_url", image_url: { url: "https://a" }, frame_type: "last_frame" }
        ],
        input_references: [
          { type: "audio_url", audio_url: { url: "https://b" } },
          { type: "video_url", video_url: { url: "https://c" } }
        ],
        user: "u",
        session_id: "s",
        trace: { trace_id: "t" },
        callback_url: "https://d"
      }),
      {
        model: "m",
        idempotencyKey: id,
        prompt: "p",
        seed: 0,
        generateAudio: false,
        frameImages: [{ frame: "last_frame", url: "https://a" }],
        inputReferences: [
          { type: "audio_url", url: "https://b" },
          { type: "video_url", url: "https://c" }
        ]
      }
    )
  })

  it.each([
    [undefined, undefined, false],
    [undefined, null, false],
    [undefined, true, true],
    [undefined, false, false],
    [false, true, false],
    [true, null, true]
  ])("for the request %s and the capability %s sends generateAudio %s", (asked, can, sent) => {
    const { generateAudio } = toVideoCall(
      {
        id,
        request: { model: "a/b", ...(asked === undefined ? undefined : { generate_audio: asked }) },
        dimensions: {}
      },
      {
        endpoint: { provider: ProviderSlug.make("one"), upstreamModel: "m" },
        capabilities:
          can === undefined
            ? undefined
            : { ...VideoCapabilities.unknownCapabilities, generate_audio: can }
      }
    )
    assert.strictEqual(generateAudio, sent)
  })

  const options = { one: { style: "noir", secret: 1 }, two: { style: "pop" } }

  it("has only the provider's own options that the model allows", () => {
    const request = { model: "a/b", provider: { options } }
    assert.deepStrictEqual(call(request, ["style"]).options, { style: "noir" })
    assert.deepStrictEqual(call(request).options, { style: "noir", secret: 1 })
    assert.isUndefined(call(request, []).options)
  })

  it("treats a name such as __proto__ as an unknown provider", () => {
    const strange = JSON.parse('{"__proto__":{"style":"x"}}') as typeof options
    assert.isUndefined(call({ model: "a/b", provider: { options: strange } }).options)
  })
})
