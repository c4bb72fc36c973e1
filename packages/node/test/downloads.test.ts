/** Downloads of videos while the instance closes. */
import type { SettingsShape } from "@signalbox/core"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { expect, it, onTestFinished, vi } from "vitest"
import { Signalbox } from "../src/index.ts"

/** An instance with a video whose file has one byte and then `rest`. */
const startWithVideo = async (
  rest: Stream.Stream<Uint8Array>,
  settings: Partial<SettingsShape>
) => {
  let isReleased = false
  const instance = await Signalbox.make({
    upstreams: [
      {
        slug: "one",
        name: "One",
        videos: {
          submit: ({ idempotencyKey }) =>
            Effect.succeed({ upstreamId: idempotencyKey, report: { status: "pending" } }),
          poll: () => Effect.succeed({ status: "completed", outputs: [{ index: 0 }] }),
          getContent: () =>
            Effect.as(
              Effect.addFinalizer(() =>
                Effect.sync(() => {
                  isReleased = true
                })
              ),
              {
                contentType: "video/mp4",
                bytes: Stream.concat(Stream.make(new Uint8Array([1])), rest),
                length: undefined,
                contentRange: undefined,
                acceptsRanges: false
              }
            ),
          supportsIdempotencyKey: true,
          pollIntervalMillis: 1,
          estimateWorstCase: () => ({ videos: 1 })
        }
      }
    ],
    models: [
      {
        id: "a/film",
        card: { architecture: { input_modalities: ["text"], output_modalities: ["video"] } },
        endpoints: [{ provider: "one", price: {}, videoPrice: { video: "0" } }]
      }
    ],
    settings: { videoSweepMillis: 10, jobPollMillis: 10, ...settings }
  })
  onTestFinished(() => instance.close())
  const { id } = await instance.videos.submit({ model: "a/film", prompt: "x" })
  await vi.waitFor(
    async () => expect((await instance.videos.get({ jobId: id })).status).toBe("completed"),
    10_000
  )
  return { instance, id, isReleased: () => isReleased }
}

it("a download in process continues while the instance drains", async () => {
  const moment = Promise.withResolvers<Uint8Array>()
  const { instance, id, isReleased } = await startWithVideo(
    Stream.fromEffect(Effect.promise(() => moment.promise)),
    {
      drainTimeoutMillis: 600_000
    }
  )
  const { body } = await instance.videos.download({ jobId: id })
  expect((await instance.health()).running).toBe(1)
  const closed = instance.close()
  await expect(instance.videos.download({ jobId: id })).rejects.toMatchObject({ status: 503 })
  moment.resolve(new Uint8Array([2]))
  expect(new Uint8Array(await new Response(body).arrayBuffer())).toEqual(new Uint8Array([1, 2]))
  await closed
  expect(isReleased()).toBe(true)
})

it("an unread download delays close until the drain timeout, and no longer", async () => {
  const { instance, id, isReleased } = await startWithVideo(Stream.never, {
    drainTimeoutMillis: 20
  })
  const { body } = await instance.videos.download({ jobId: id })
  const reader = body.getReader()
  expect((await reader.read()).value).toEqual(new Uint8Array([1]))
  await instance.close()
  expect(isReleased()).toBe(true)
  await expect(reader.read()).rejects.toThrow("interrupted")
})

it("a cancelled download does not delay close", async () => {
  const { instance, id } = await startWithVideo(Stream.never, { drainTimeoutMillis: 600_000 })
  const { body } = await instance.videos.download({ jobId: id })
  await body.cancel()
  await instance.close()
  expect((await instance.health()).running).toBe(0)
})
