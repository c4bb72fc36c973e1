import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { assert, describe, expect, it } from "@effect/vitest"
import type { VideoCall } from "@signalbox/core/upstream"
import { startRecordingServer, sendJson } from "@signalbox/testing/recording"
import * as Effect from "effect/Effect"
import { openrouter } from "../src/index.ts"

const id = "gen-vid-1700000001-00000000000000000001"
const pending = { id, polling_url: `/api/v1/videos/${id}`, status: "pending" }

const call: VideoCall = { model: "acme/film", idempotencyKey: "key-of-the-job" }

/** The upstream at a server that always responds like this. */
const at = Effect.fnUntraced(function* (answer: unknown, status = 202) {
  const server = yield* startRecordingServer((_, response) => sendJson(response, answer, status))
  return { server, videos: openrouter({ baseUrl: server.url, apiKey: "sk-of-the-house" }).videos! }
})

const poll = Effect.fnUntraced(function* (answer: unknown) {
  const { videos } = yield* at(answer, 200)
  return yield* Effect.provide(videos.poll({ upstreamId: id }), NodeHttpClient.layerUndici)
})

describe("a submit", () => {
  it.effect("sends every field under the names of the API", () =>
    Effect.gen(function* () {
      const { server, videos } = yield* at(pending)
      const accepted = yield* videos
        .submit({
          ...call,
          prompt: "A cat",
          aspectRatio: "16:9",
          resolution: "4K",
          size: "3840x2160",
          duration: 8,
          seed: 7,
          generateAudio: false,
          frameImages: [
            { frame: "first_frame", url: "https://a.example/1" },
            { frame: "last_frame", url: "https://a.example/2" }
          ],
          inputReferences: [
            { type: "image_url", url: "https://a.example/3" },
            { type: "audio_url", url: "https://a.example/4" },
            { type: "video_url", url: "https://a.example/5" }
          ],
          previousUpstreamId: "gen-vid-1-x",
          creativity: 1,
          upscaleFactor: 2.5,
          options: { "google-vertex": { parameters: { enhance: true } } }
        })
        .pipe(Effect.provide(NodeHttpClient.layerUndici))
      expect(accepted).toEqual({ upstreamId: id, report: { status: "pending" } })
      const [request] = server.requests
      assert.strictEqual(`${request!.method} ${request!.url}`, "POST /api/v1/videos")
      assert.strictEqual(request!.headers["authorization"], "Bearer sk-of-the-house")
      expect(request!.json).toEqual({
        model: "acme/film",
        prompt: "A cat",
        aspect_ratio: "16:9",
        resolution: "4K",
        size: "3840x2160",
        duration: 8,
        seed: 7,
        generate_audio: false,
        frame_images: [
          {
            type: "image_url",
            image_url: { url: "https://a.example/1" },
            frame_type: "first_frame"
          },
          { type: "image_url", image_url: { url: "https://a.example/2" }, frame_type: "last_frame" }
        ],
        input_references: [
          { type: "image_url", image_url: { url: "https://a.example/3" } },
          { type: "audio_url", audio_url: { url: "https://a.example/4" } },
          { type: "video_url", video_url: { url: "https://a.example/5" } }
        ],
        previous_job_id: "gen-vid-1-x",
        creativity: 1,
        upscale_factor: 2.5,
        provider: { options: { "google-vertex": { parameters: { enhance: true } } } }
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
    const { videos } = openrouter({ apiKey: "sk-of-the-house" })
    assert.deepStrictEqual(
      [references, frames, { ...references, ...frames }].map(
        (more) => videos!.estimateWorstCase({ ...call, ...more }).images
      ),
      [2, 1, 1]
    )
  })

  it.effect("omits absent fields, callbacks and sessions", () =>
    Effect.gen(function* () {
      const { server, videos } = yield* at(pending)
      yield* Effect.provide(videos.submit(call), NodeHttpClient.layerUndici)
      expect(server.requests[0]!.json).toEqual({ model: "acme/film" })
      assert.isUndefined(server.requests[0]!.headers["idempotency-key"])
    })
  )
})

describe("a poll", () => {
  it.effect("of a completed job reports outputs and cost, but no addresses", () =>
    Effect.gen(function* () {
      const report = yield* poll({
        ...pending,
        status: "completed",
        generation_id: "gen-1",
        unsigned_urls: ["http://169.254.169.254/", "file:///etc/passwd"],
        usage: { cost: 0.1, is_byok: false }
      })
      expect(report).toEqual({
        status: "completed",
        outputs: [{ index: 0 }, { index: 1 }],
        cost: 100_000_000n,
        generationId: "gen-1"
      })
    })
  )

  it.effect("completes a job with other malformed fields", () =>
    Effect.gen(function* () {
      const report = yield* poll({
        ...pending,
        status: "completed",
        generation_id: null,
        unsigned_urls: [],
        usage: { cost: -1 }
      })
      expect(report).toEqual({ status: "completed", outputs: [{ index: 0 }] })
      const flooded = yield* poll({
        ...pending,
        status: "completed",
        unsigned_urls: Array.from({ length: 100_000 }, () => "")
      })
      expect(flooded.status === "completed" && flooded.outputs).toHaveLength(100)
    })
  )

  it.effect("with an error response fails without ending the job", () =>
    Effect.gen(function* () {
      const failure = yield* Effect.flip(poll({ error: { code: 500, message: "try later" } }))
      expect(failure).toMatchObject({ kind: "server_error", detail: "try later" })
    })
  )

  it.effect("encodes the job's id as one path segment", () =>
    Effect.gen(function* () {
      const { server, videos } = yield* at(pending, 200)
      yield* Effect.provide(videos.poll({ upstreamId: "../keys?x=/" }), NodeHttpClient.layerUndici)
      assert.strictEqual(server.requests[0]!.url, "/api/v1/videos/..%2Fkeys%3Fx%3D%2F")
    })
  )
})
