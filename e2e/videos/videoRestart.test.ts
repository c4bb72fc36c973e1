/** A video job survives the instance that accepted it, whenever that closes. */
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Signalbox } from "@signalbox/node"
import { openrouter } from "@signalbox/openrouter"
import { sqlite } from "@signalbox/sql"
import { pace, ScriptedUpstream } from "@signalbox/testing"
import { expect, onTestFinished, test } from "vitest"

const request = { model: "proof/film", prompt: "a tide pool", duration: 4 }

/** A provider, and boxes that come and go on one file. */
const startProviderAndInstances = async () => {
  const path = join(mkdtempSync(join(tmpdir(), "signalbox-videos-")), "signalbox.db")
  const upstream = await ScriptedUpstream.start()
  onTestFinished(() => upstream.close())
  const { videos, ...first } = openrouter({
    slug: "first",
    baseUrl: upstream.url,
    idempotencyHeader: "idempotency-key"
  })
  if (videos === undefined) throw new Error("it makes no videos")
  const start = async () => {
    const instance = await Signalbox.make({
      stores: sqlite({ path }),
      upstreams: [{ ...first, videos: { ...videos, pollIntervalMillis: 200 } }],
      models: [
        {
          id: "proof/film",
          card: { architecture: { input_modalities: ["text"], output_modalities: ["video"] } },
          endpoints: [{ provider: "first", price: {}, videoPrice: { duration_seconds: "0.1" } }]
        }
      ],
      credits: { default: "0.4" },
      settings: { videoSweepMillis: 10, drainTimeoutMillis: 100 }
    })
    onTestFinished(() => instance.close())
    return instance
  }
  return { start, upstream }
}

test("while it is submitted: it is submitted again at the same place, and is one job", async () => {
  const { start, upstream } = await startProviderAndInstances()
  const gate = upstream.gate()
  upstream.when(({ path }) => path === "/api/v1/videos").script(pace.hold(gate, "response_headers"))
  const before = await start()
  const { id } = await before.videos.submit(request)
  await expect.poll(() => upstream.videos.jobs).toHaveLength(1)
  await before.close()
  gate.open()
  const after = await start()
  await expect
    .poll(async () => (await after.videos.get({ jobId: id })).status, waitOptions)
    .toBe("completed")
  expect(upstream.videos.jobs).toMatchObject([{ submits: 2, idempotencyKey: id }])
  expect((await after.videos.get({ jobId: id })).usage).toEqual({ cost: 0.4, is_byok: false })
})

test("while it is made: it is followed on, and its money is still set aside", async () => {
  const { start, upstream } = await startProviderAndInstances()
  upstream.videos.script(...Array.from({ length: 5 }, () => "in_progress"), "completed")
  const before = await start()
  const { id } = await before.videos.submit(request)
  await expect.poll(async () => (await before.videos.get({ jobId: id })).status).toBe("in_progress")
  await before.close()
  const after = await start()
  await expect(after.videos.submit(request)).rejects.toMatchObject({ status: 402 })
  await expect
    .poll(async () => (await after.videos.get({ jobId: id })).status, waitOptions)
    .toBe("completed")
  expect(upstream.videos.jobs).toMatchObject([{ submits: 1 }])
})

test("while it is polled: the next instance polls at once, without waiting for the claim to expire", async () => {
  const { start, upstream } = await startProviderAndInstances()
  const gate = upstream.gate()
  upstream.when(({ method }) => method === "GET").script(pace.hold(gate))
  const before = await start()
  const { id } = await before.videos.submit(request)
  const polls = () => upstream.requests.filter(({ method }) => method === "GET")
  await expect.poll(polls).toHaveLength(1)
  await before.close()
  const after = await start()
  // A claim holds for fifteen.
  await expect
    .poll(async () => (await after.videos.get({ jobId: id })).status, {
      timeout: 60_000,
      interval: 20
    })
    .toBe("completed")
  expect(polls()).toHaveLength(2)
})

const waitOptions = { timeout: 60_000, interval: 20 }
