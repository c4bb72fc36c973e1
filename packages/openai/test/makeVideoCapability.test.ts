import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { assert, describe, expect, it } from "@effect/vitest"
import type { VideoCall } from "@signalbox/core/upstream"
import { type ReceivedRequest, startRecordingServer, sendJson } from "@signalbox/testing/recording"
import * as Effect from "effect/Effect"
import { openai, type OpenAiOptions } from "../src/index.ts"

const makeCall = (more: Partial<VideoCall> = {}): VideoCall => ({
  model: "sora-2",
  prompt: 'A "cat" — 猫',
  idempotencyKey: "gen-vid-1700000001-00000000000000000001",
  ...more
})

const queued = { id: "video_1", object: "video", status: "queued", model: "sora-2" }

/** The request of `call`, and the result of the response. */
const submit = Effect.fnUntraced(function* (
  call: VideoCall,
  answer: unknown = queued,
  options: OpenAiOptions = {}
) {
  const server = yield* startRecordingServer((_, response) => sendJson(response, answer))
  const { videos } = openai({ apiKey: "sk-of-the-house", baseUrl: server.url, ...options })
  const result = yield* videos!
    .submit(call)
    .pipe(Effect.result, Effect.provide(NodeHttpClient.layerUndici))
  return { result, requests: server.requests }
})

const poll = Effect.fnUntraced(function* (answer: unknown) {
  const server = yield* startRecordingServer((_, response) => sendJson(response, answer))
  const { videos } = openai({ baseUrl: server.url })
  return yield* videos!
    .poll({ upstreamId: "video_1" })
    .pipe(Effect.provide(NodeHttpClient.layerUndici))
})

/** The fields of a form, files as `[name, type, text]`. */
const parseForm = ({ headers, text }: ReceivedRequest): Readonly<Record<string, unknown>> => {
  const [, boundary] = /^multipart\/form-data; boundary=(.+)$/.exec(headers["content-type"]!) ?? []
  return Object.fromEntries(
    text
      .split(`--${boundary}`)
      .slice(1, -1)
      .map((part) => {
        const [head = "", body = ""] = part.split("\r\n\r\n")
        const value = body.slice(0, -2)
        const [, name, file] = /name="([^"]*)"(?:; filename="([^"]*)")?/.exec(head) ?? []
        const type = /content-type: (.*)/i.exec(head)?.[1]
        return [name, file === undefined ? value : [file, type, value]]
      })
  )
}

describe("a submit", () => {
  it.effect("is the form that OpenAI's own client sends", () =>
    Effect.gen(function* () {
      const { requests, result } = yield* submit(
        makeCall({
          duration: 8,
          resolution: "720p",
          aspectRatio: "9:16",
          seed: 7,
          generateAudio: true
        })
      )
      assert.strictEqual(result._tag, "Success")
      const [request] = requests
      assert.strictEqual(`${request!.method} ${request!.url}`, "POST /videos")
      assert.strictEqual(request!.headers["authorization"], "Bearer sk-of-the-house")
      assert.isUndefined(request!.headers["idempotency-key"])
      expect(parseForm(request!)).toEqual({
        model: "sora-2",
        prompt: 'A "cat" — 猫',
        seconds: "8",
        size: "720x1280"
      })
    })
  )

  it.effect("sends a data: image as a file, and others by address", () =>
    Effect.gen(function* () {
      const data = `data:image/png;base64,${Buffer.from("pixels").toString("base64")}`
      const file = yield* submit(makeCall({ frameImages: [{ frame: "first_frame", url: data }] }))
      expect(parseForm(file.requests[0]!)).toMatchObject({
        input_reference: ["reference.png", "image/png", "pixels"]
      })
      const url = "https://pictures.example/cat.webp"
      const address = yield* submit(
        makeCall({
          inputReferences: [
            { type: "audio_url", url: "https://pictures.example/purr.mp3" },
            { type: "image_url", url }
          ]
        })
      )
      expect(parseForm(address.requests[0]!)).toMatchObject({
        "input_reference[image_url]": url
      })
    })
  )

  it.effect("prefers frames to references", () =>
    Effect.gen(function* () {
      const { requests } = yield* submit(
        makeCall({
          frameImages: [{ frame: "first_frame", url: "https://a.example/first" }],
          inputReferences: [{ type: "image_url", url: "https://a.example/reference" }]
        })
      )
      expect(parseForm(requests[0]!)).toMatchObject({
        "input_reference[image_url]": "https://a.example/first"
      })
    })
  )

  it("estimates no cost for references that frames replace", () => {
    const references: Partial<VideoCall> = {
      inputReferences: [
        { type: "image_url", url: "https://a.example/1" },
        { type: "image_url", url: "https://a.example/2" },
        { type: "video_url", url: "https://a.example/3" }
      ]
    }
    const frames: Partial<VideoCall> = {
      frameImages: [{ frame: "first_frame", url: "https://a.example/first" }]
    }
    const { videos } = openai({ apiKey: "sk-of-the-house" })
    assert.deepStrictEqual(
      [references, frames, { ...references, ...frames }].map(
        (more) => videos!.estimateWorstCase(makeCall(more)).images
      ),
      [2, 1, 1]
    )
  })

  it.each([
    [{}, { videos: 1 }],
    [{ options: { n: 4 } }, { videos: 4 }],
    [{ options: { n: "4", seconds: "12" } }, { videos: 4, seconds: 48 }],
    [
      { options: { n: 1.5, seconds: 99 }, duration: 4 },
      { videos: 2, seconds: 8 }
    ],
    [{ options: { n: "many", seconds: [] } }, { videos: 1 }]
  ])("of %o costs at most the product of its options", (more, expected) => {
    assert.deepStrictEqual(openai({ apiKey: "sk" }).videos!.estimateWorstCase(makeCall(more)), {
      ...expected,
      images: 0
    })
  })

  it.effect("passes on provider options, except those that the call sets", () =>
    Effect.gen(function* () {
      const options = JSON.parse('{"__proto__":"kept","quality":"high","n":1,"model":"another"}')
      const { requests } = yield* submit(makeCall({ options }))
      const form = parseForm(requests[0]!)
      expect(Object.entries(form)).toContainEqual(["__proto__", "kept"])
      expect(form).toMatchObject({ quality: "high", n: "1", model: "sora-2" })
    })
  )

  it.effect("sends the idempotency key if the server supports one", () =>
    Effect.gen(function* () {
      const call = makeCall()
      const { requests, result } = yield* submit(
        call,
        { ...queued, id: call.idempotencyKey },
        { idempotencyHeader: "Idempotency-Key" }
      )
      assert.strictEqual(requests[0]!.headers["idempotency-key"], call.idempotencyKey)
      expect(result).toMatchObject({ success: { upstreamId: call.idempotencyKey } })
    })
  )

  it.effect("of a continuation is a remix", () =>
    Effect.gen(function* () {
      const { requests } = yield* submit(makeCall({ previousUpstreamId: "video/../1" }))
      const [request] = requests
      assert.strictEqual(`${request!.method} ${request!.url}`, "POST /videos/video%2F..%2F1/remix")
      expect(request!.json).toEqual({ prompt: 'A "cat" — 猫' })
    })
  )

  const png = "data:image/png;base64,AAAA"
  const unsayable: ReadonlyArray<readonly [string, Partial<VideoCall>]> = [
    ["creativity", { creativity: 1 }],
    ["upscale_factor", { upscaleFactor: 2 }],
    ["resolution", { resolution: "2K" }],
    ["aspect_ratio", { aspectRatio: "wide" }],
    ["last_frame", { frameImages: [{ frame: "last_frame", url: png }] }],
    [
      "a second image",
      { inputReferences: [png, png].map((url) => ({ type: "image_url" as const, url })) }
    ],
    ["duration", { previousUpstreamId: "video_1", duration: 4 }],
    ["size", { previousUpstreamId: "video_1", size: "1x1" }],
    [
      "frame_images",
      { previousUpstreamId: "video_1", frameImages: [{ frame: "first_frame", url: png }] }
    ]
  ]
  it.effect.each(unsayable)("with %s is rejected before anything is sent", ([name, more]) =>
    Effect.gen(function* () {
      const { requests, result } = yield* submit(makeCall(more))
      expect(result).toMatchObject({
        failure: {
          kind: "unsupported_parameter",
          detail: `OpenAI's videos API has no counterpart of this ${name}`
        }
      })
      assert.strictEqual(requests.length, 0)
    })
  )

  it.effect.each([
    "data:image/svg+xml;base64,AAAA",
    "data:image/png;base64,!",
    "data:image/png,AAAA",
    "data:text/html;base64,AAAA"
  ])("with the image %s is a bad request", (url) =>
    Effect.gen(function* () {
      const { requests, result } = yield* submit(
        makeCall({ frameImages: [{ frame: "first_frame", url }] })
      )
      expect(result).toMatchObject({ failure: { kind: "bad_request" } })
      assert.strictEqual(requests.length, 0)
    })
  )
})

describe("the size", () => {
  const sizes: ReadonlyArray<
    readonly [string | undefined, string | undefined, string | undefined]
  > = [
    [undefined, undefined, undefined],
    ["720p", "16:9", "1280x720"],
    ["1080p", "9:16", "1080x1920"],
    ["480p", "4:3", "640x480"],
    ["480p", "16:9", "854x480"],
    ["768p", "1:1", "768x768"],
    ["720p", "21:9", "1680x720"],
    ["1080p", undefined, "1920x1080"],
    [undefined, "9:16", "720x1280"]
  ]
  it.effect.each(sizes)("of %s and %s is %s", ([resolution, aspectRatio, size]) =>
    Effect.gen(function* () {
      const { requests } = yield* submit(
        makeCall({
          ...(resolution === undefined ? undefined : { resolution }),
          ...(aspectRatio === undefined ? undefined : { aspectRatio })
        })
      )
      const form = parseForm(requests[0]!)
      expect(form["size"]).toBe(size)
    })
  )

  it.effect("in pixels takes precedence", () =>
    Effect.gen(function* () {
      const { requests } = yield* submit(makeCall({ size: "1x1", resolution: "4K" }))
      expect(parseForm(requests[0]!)).toMatchObject({ size: "1x1" })
    })
  )
})

describe("a poll", () => {
  it.effect("of a completed job reports its seconds and expiry", () =>
    Effect.gen(function* () {
      const video = { ...queued, status: "completed", seconds: "8", expires_at: 1_700_003_660 }
      expect(yield* poll(video)).toEqual({
        status: "completed",
        outputs: [{ index: 0 }],
        usage: { videos: 1, seconds: 8 },
        expiresAtMillis: 1_700_003_660_000
      })
    })
  )

  it.effect.each([[null], ["a lot"], [-4], ["1e9"], ["NaN"], [{}]])(
    "completes a job with %j seconds",
    ([seconds]) =>
      Effect.gen(function* () {
        const video = { ...queued, status: "completed", seconds, expires_at: "soon" }
        expect(yield* poll(video)).toEqual({
          status: "completed",
          outputs: [{ index: 0 }],
          usage: { videos: 1 }
        })
      })
  )

  it.effect.each([
    ["moderation_blocked", "content_refused"],
    ["content_filter", "content_refused"],
    ["insufficient_quota", "credential_refused"],
    ["video_generation_failed", "server_error"]
  ])("of a job that failed by %s is a failure of the kind %s", ([code, kind]) =>
    Effect.gen(function* () {
      const report = yield* poll({ ...queued, status: "failed", error: { code, message: "no" } })
      expect(report).toEqual({ status: "failed", kind, message: "no" })
    })
  )

  it.effect("of a job that failed without a message is a failure", () =>
    Effect.gen(function* () {
      expect(yield* poll({ ...queued, status: "failed", error: null })).toEqual({
        status: "failed",
        kind: "server_error"
      })
    })
  )

  it.effect("with an error response fails without ending the job", () =>
    Effect.gen(function* () {
      const failure = yield* Effect.flip(poll({ error: { message: "try later" } }))
      expect(failure).toMatchObject({ kind: "server_error", detail: "try later" })
    })
  )
})

describe("a removal", () => {
  it.effect("deletes the job, and ignores a second deletion", () =>
    Effect.gen(function* () {
      let there = true
      const server = yield* startRecordingServer((_, response) => {
        sendJson(response, there ? { id: "video_1", deleted: true } : {}, there ? 200 : 404)
        there = false
      })
      const remove = openai({ baseUrl: server.url }).videos!.remove!
      const removal = Effect.provide(remove({ upstreamId: "video_1" }), NodeHttpClient.layerUndici)
      yield* removal
      yield* removal
      expect(server.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
        "DELETE /videos/video_1",
        "DELETE /videos/video_1"
      ])
    })
  )
})
