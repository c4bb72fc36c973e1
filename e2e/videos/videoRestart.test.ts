/** A video job survives the shutdown of its instance at any time. */
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Signalbox } from "@signalbox/node"
import { openrouter } from "@signalbox/openrouter"
import { sqlite } from "@signalbox/sql"
import { pace, ScriptedUpstream } from "@signalbox/testing"
import { expect, onTestFinished, test } from "vitest"

const request = { model: "proof/film", prompt: "a tide pool", duration: 4 }

/** Starts a provider and returns a function that starts instances on one file. */
const startProviderAndInstances = async () => {
  const path = join(mkdtempSync(join(tmpdir(), "signalbox-videos-")), "signalbox.db")
  const upstream = await ScriptedUpstream.start()
  onTestFinished(() => upstream.close())
  const { videos, ...first } = openrouter({
    slug: "first",
    baseUrl: upstream.url,
    idempotencyHeader: "idempotency-key"
  })
  if (videos === undefined) throw new Error("the upstream has no videos")
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

test("a job is submitted again at the same provider after a restart during the submit, and stays one job", async () => {
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

test("a job in progress is still polled after a restart and keeps its reservation", async () => {
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

test("a job is polled immediately after a restart during a poll", async () => {
  const { start, upstream } = await startProviderAndInstances()
  const gate = upstream.gate()
  upstream.when(({ method }) => method === "GET").script(pace.hold(gate))
  const before = await start()
  const { id } = await before.videos.submit(request)
  const polls = () => upstream.requests.filter(({ method }) => method === "GET")
  await expect.poll(polls).toHaveLength(1)
  await before.close()
  const after = await start()
  // The claim of the previous instance would block for fifteen seconds.
  await expect
    .poll(async () => (await after.videos.get({ jobId: id })).status, {
      timeout: 240_000,
      interval: 20
    })
    .toBe("completed")
  expect(polls()).toHaveLength(2)
})

const waitOptions = { timeout: 240_000, interval: 20 }
