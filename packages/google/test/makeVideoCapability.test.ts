import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { GoogleGenAI } from "@google/genai"
import { assert, describe, expect, it } from "@effect/vitest"
import type { VideoCall } from "@signalbox/core/upstream"
import { sendJson, startRecordingServer } from "@signalbox/testing/recording"
import * as Effect from "effect/Effect"
import { vertex, type VertexOptions } from "../src/index.ts"

const base: VertexOptions = {
  project: "my-project",
  location: "us-central1",
  token: () => "a-token-of-google",
  videoStorage: "gs://my-bucket/videos/"
}
const model = "projects/my-project/locations/us-central1/publishers/google/models/veo-3.1"
const name = `${model}/operations/17`
const file = "gs://my-bucket/videos/8731/sample_0.mp4"

const call: VideoCall = {
  model: "veo-3.1",
  prompt: "A lighthouse at night.",
  idempotencyKey: "gen-vid-1"
}
const picture = "data:image/png;base64,iVBORw0KGgo="
const image = { bytesBase64Encoded: "iVBORw0KGgo=", mimeType: "image/png" }

const start = Effect.fnUntraced(function* (answer: unknown = { name }, options = {}) {
  const server = yield* startRecordingServer((_, response) => sendJson(response, answer))
  const { videos } = vertex({ ...base, baseUrl: server.url, storageUrl: server.url, ...options })
  return { server, videos: videos ?? assert.fail("no videos") }
})

const submit = Effect.fnUntraced(function* (more: Partial<VideoCall>) {
  const { server, videos } = yield* start()
  const result = yield* Effect.result(videos.submit({ ...call, ...more }))
  return { result, requests: server.requests }
}, Effect.provide(NodeHttpClient.layerUndici))

const poll = Effect.fnUntraced(function* (answer: unknown) {
  const { server, videos } = yield* start(answer)
  const report = yield* videos.poll({ upstreamId: name })
  return { report, request: server.requests[0] }
}, Effect.provide(NodeHttpClient.layerUndici))

describe("a submit", () => {
  it.effect("is what Google's own client sends", () =>
    Effect.gen(function* () {
      const { requests } = yield* submit({
        aspectRatio: "9:16",
        resolution: "1080p",
        duration: 8,
        seed: 7,
        generateAudio: true,
        frameImages: [
          { frame: "first_frame", url: picture },
          { frame: "last_frame", url: picture }
        ],
        options: { negativePrompt: "fog", sampleCount: 2 }
      })
      const { server } = yield* start()
      const client = new GoogleGenAI({
        enterprise: true,
        project: "my-project",
        location: "us-central1",
        httpOptions: {
          baseUrl: server.url,
          apiVersion: "v1",
          headers: { authorization: "Bearer t" }
        },
        // Only its headers are asked for.
        googleAuthOptions: { authClient: { getRequestHeaders: async () => new Headers() } as never }
      })
      const picked = { imageBytes: image.bytesBase64Encoded, mimeType: image.mimeType }
      yield* Effect.promise(() =>
        client.models.generateVideos({
          model: "veo-3.1",
          source: { prompt: "A lighthouse at night.", image: picked },
          config: {
            aspectRatio: "9:16",
            resolution: "1080p",
            durationSeconds: 8,
            seed: 7,
            generateAudio: true,
            lastFrame: picked,
            negativePrompt: "fog",
            numberOfVideos: 2,
            outputGcsUri: "gs://my-bucket/videos"
          }
        })
      )
      assert.strictEqual(requests[0]?.url, `/v1/${model}:predictLongRunning`)
      assert.strictEqual(requests[0]?.url, server.requests[0]?.url)
      assert.deepStrictEqual(requests[0]?.json, server.requests[0]?.json)
      assert.strictEqual(requests[0]?.headers["authorization"], "Bearer a-token-of-google")
    })
  )

  it.effect("writes to the storage of the upstream, even if a caller names another", () =>
    Effect.gen(function* () {
      const { requests } = yield* submit({ options: { storageUri: "gs://elsewhere" } })
      expect(requests[0]?.json).toEqual({
        instances: [{ prompt: "A lighthouse at night." }],
        parameters: { storageUri: "gs://my-bucket/videos" }
      })
    })
  )

  it.effect("has references where there are no frames, and no audio for Veo 2", () =>
    Effect.gen(function* () {
      const { requests } = yield* submit({
        model: "veo-2.0-generate-001",
        generateAudio: false,
        resolution: "4K",
        inputReferences: [{ type: "image_url", url: picture }]
      })
      expect(requests[0]?.json).toEqual({
        instances: [
          {
            prompt: "A lighthouse at night.",
            referenceImages: [{ image, referenceType: "asset" }]
          }
        ],
        parameters: { resolution: "4k", storageUri: "gs://my-bucket/videos" }
      })
    })
  )

  it.effect.each<Partial<VideoCall>>([
    { creativity: 0.5 },
    { upscaleFactor: 2 },
    { previousUpstreamId: name },
    { size: "999x333" },
    { size: "1280x720", resolution: "720p" },
    { frameImages: [{ frame: "first_frame", url: "https://example.com/a.png" }] },
    { inputReferences: [{ type: "image_url", url: "data:image/gif;base64,AA==" }] },
    { inputReferences: [{ type: "video_url", url: "https://example.com/a.mp4" }] }
  ])("refuses what Veo cannot express, and sends nothing: %j", (more) =>
    Effect.gen(function* () {
      const { requests, result } = yield* submit(more)
      expect(result).toMatchObject({ failure: { kind: "unsupported_parameter" } })
      assert.deepStrictEqual(requests, [])
    })
  )

  it.effect("reserves all videos that options ask for", () =>
    Effect.gen(function* () {
      const { videos } = yield* start()
      const options = { sampleCount: 3, durationSeconds: 8 }
      expect(videos.estimateWorstCase({ ...call, options })).toEqual({
        videos: 3,
        seconds: 24,
        images: 0
      })
    })
  )
})

describe("a poll", () => {
  it.effect("asks for the operation as Google's own client does", () =>
    Effect.gen(function* () {
      const { report, request } = yield* poll({ name, metadata: {} })
      assert.deepStrictEqual(report, { status: "in_progress" })
      assert.strictEqual(request?.url, `/v1/${model}:fetchPredictOperation`)
      assert.deepStrictEqual(request?.json, { operationName: name })
    })
  )

  it.effect("counts the videos, and leaves out what is none", () =>
    Effect.gen(function* () {
      const videos = [
        { gcsUri: file, mimeType: "video/mp4" },
        null,
        { gcsUri: 7 },
        { gcsUri: file }
      ]
      const { report } = yield* poll({ name, done: true, response: { videos } })
      expect(report).toEqual({
        status: "completed",
        outputs: [
          { index: 0, url: file },
          { index: 1, url: file }
        ],
        usage: { videos: 2 }
      })
    })
  )

  it.effect("says why a filter withheld the video", () =>
    Effect.gen(function* () {
      const response = { raiMediaFilteredCount: 1, raiMediaFilteredReasons: ["y".repeat(999)] }
      const { report } = yield* poll({ name, done: true, response })
      expect(report).toEqual({
        status: "failed",
        kind: "content_refused",
        message: "y".repeat(500)
      })
    })
  )

  it.effect.each<readonly [unknown, string]>([
    [{ code: 3, message: "Wrong duration" }, "bad_request"],
    [{ code: 3, message: "It violates Google's Responsible AI practices." }, "content_refused"],
    [{ code: 7, message: "No" }, "forbidden"],
    [{ code: 8, message: "Slow down" }, "rate_limited"],
    [{ code: 14, message: "Busy" }, "overloaded"],
    [{ code: 13, message: "Sorry" }, "server_error"],
    [{ code: 999 }, "server_error"],
    [undefined, "server_error"]
  ])("knows the kind of %j", ([error, kind]) =>
    Effect.gen(function* () {
      const { report } = yield* poll({ name, done: true, error })
      expect(report).toMatchObject({ status: "failed", kind })
    })
  )
})

describe("a download", () => {
  it.effect.each([
    "gs://other-bucket/videos/8731/sample_0.mp4",
    "gs://my-bucket/elsewhere/sample_0.mp4",
    "gs://my-bucket/videos-of-others/sample_0.mp4",
    "https://example.com/sample_0.mp4",
    "gs://my-bucket/videos/\n",
    undefined
  ])("reads nothing outside of the storage: %s", (url) =>
    Effect.gen(function* () {
      const { server, videos } = yield* start()
      const wanted = { upstreamId: name, index: 0, ...(url === undefined ? undefined : { url }) }
      const failure = yield* Effect.flip(Effect.scoped(videos.getContent(wanted)))
      assert.strictEqual(failure.kind, "invalid_answer")
      assert.deepStrictEqual(server.requests, [])
    }).pipe(Effect.provide(NodeHttpClient.layerUndici))
  )
})

describe("the storage", () => {
  it.each([
    "my-bucket",
    "gs://",
    "gs://My_Bucket!",
    "https://storage.googleapis.com/my-bucket",
    "gs://b/"
  ])("cannot be %s", (videoStorage) => {
    assert.throws(() => vertex({ ...base, videoStorage }), RangeError, "videoStorage must be like")
  })

  it("is what makes videos possible", () => {
    const { videoStorage: _, ...none } = base
    assert.isUndefined(vertex(none).videos)
    assert.throws(() => vertex({ ...base, storageUrl: "gs://x" }), RangeError, "storageUrl")
  })
})
