/** Video jobs over HTTP, from submit to download. */
import { mkdtempSync, readdirSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { buffer } from "node:stream/consumers"
import { fileBlobs } from "@signalbox/node"
import { fault } from "@signalbox/testing"
import * as Effect from "effect/Effect"
import { describe, expect, test } from "vitest"
import { makeClient } from "../support/makeClient.ts"
import { pickHosts } from "../support/pickHosts.ts"
import { getProperty } from "../support/getProperty.ts"
import { jumpClocks } from "../support/jumpClock.ts"
import {
  capabilities,
  getId,
  startVideoTestServer,
  terminalStatuses,
  startReceiver,
  videoKeys
} from "./VideoTestServer.ts"

const hosts = pickHosts(import.meta.filename)

const videoId = /^gen-vid-[0-9]+-[0-9A-Za-z]{20}$/
const unknownId = "gen-vid-1-aaaaaaaaaaaaaaaaaaaa"

describe.each(hosts)("videos behind $name", (host) => {
  test("the reference client submits, polls and downloads", async () => {
    const server = await startVideoTestServer({ host, mount: "/behind/ai" })
    server.upstreams.first.videos.script("pending", "in_progress", "completed")
    const { videoGeneration } = makeClient(server, videoKeys.member)
    const submitted = await videoGeneration.generate({
      videoGenerationRequest: { model: "proof/film", prompt: "a tide pool", duration: 4 }
    })
    expect(submitted.id).toMatch(videoId)
    expect(submitted).toMatchObject({
      status: "pending",
      pollingUrl: `/behind/ai/api/v1/videos/${submitted.id}`
    })
    await server.until(submitted.id, "completed")
    const done = await videoGeneration.getGeneration({ jobId: submitted.id })
    expect(done).toMatchObject({
      status: "completed",
      generationId: submitted.id,
      unsignedUrls: [`/behind/ai/api/v1/videos/${submitted.id}/content?index=0`],
      usage: { cost: 0.4, isByok: false }
    })
    const stream = await videoGeneration.getVideoContent({ jobId: submitted.id })
    const maker = Object.values(server.upstreams).find(({ videos }) => videos.jobs.length > 0)
    expect(new Uint8Array(await buffer(stream))).toEqual(maker?.videos.content)
  })

  test("range and HEAD requests are supported", async () => {
    const server = await startVideoTestServer({ host })
    const id = getId(await server.submit())
    await server.until(id, "completed")
    const url = `${server.root}/api/v1/videos/${id}/content`
    const get = (range: string, method = "GET", more: Record<string, string> = {}) =>
      fetch(url, {
        method,
        headers: { authorization: `Bearer ${videoKeys.member}`, range, ...more }
      })
    const { content } = server.upstreams.first.videos
    const part = await get("bytes=10-19")
    expect([part.status, part.headers.get("content-range")]).toEqual([206, "bytes 10-19/1000"])
    expect(part.headers.get("content-type")).toBe("video/mp4")
    expect(new Uint8Array(await part.arrayBuffer())).toEqual(content.slice(10, 20))
    const tail = await get("bytes=-5")
    expect(new Uint8Array(await tail.arrayBuffer())).toEqual(content.slice(-5))
    const beyond = await get("bytes=5000-")
    expect([beyond.status, getProperty(await beyond.json(), "error")]).toMatchObject([
      416,
      { code: 416 }
    ])
    const several = await get("bytes=0-1,3-4")
    expect([several.status, (await several.arrayBuffer()).byteLength]).toEqual([200, 1000])
    const other = await get("bytes=0-1", "GET", { "if-range": '"of another file"' })
    expect([other.status, (await other.arrayBuffer()).byteLength]).toEqual([200, 1000])
    const head = await get("bytes=0-1", "HEAD")
    expect([head.status, head.headers.get("content-length")]).toEqual([200, "1000"])
    expect(head.headers.get("accept-ranges")).toBe("bytes")
    expect((await head.arrayBuffer()).byteLength).toBe(0)
  })
})

test("a submit that a provider rejects falls back to the next one", async () => {
  const server = await startVideoTestServer()
  server.upstreams.first.always(fault.status(500))
  const id = getId(await server.submit())
  expect(await server.until(id, ...terminalStatuses)).toMatchObject({ status: "completed" })
  expect(server.upstreams.first.videos.jobs).toHaveLength(0)
  expect(server.upstreams.second.videos.jobs).toMatchObject([{ submits: 1, idempotencyKey: id }])
})

test.each([
  ["with keys", true, 1],
  ["without keys", false, 2]
])(
  "a submit with an unknown outcome is repeated at the same provider, %s",
  async (_, supportsIdempotencyKey, made) => {
    const server = await startVideoTestServer({ supportsIdempotencyKey })
    const { first, second } = server.upstreams
    // The provider accepts the job, but the connection breaks before its response.
    first.when(({ path }) => path === "/api/v1/videos").script(fault.drop("response_headers"))
    const id = getId(await server.submit())
    expect(await server.until(id, ...terminalStatuses)).toMatchObject({ status: "completed" })
    expect(first.videos.jobs).toHaveLength(made)
    expect(first.videos.jobs.reduce((sum, { submits }) => sum + submits, 0)).toBe(2)
    expect(second.requests).toHaveLength(0)
  }
)

test("a job that every provider rejects fails, and its reservation is released", async () => {
  const server = await startVideoTestServer({ options: { credits: { default: "1" } } })
  server.upstreams.first.always(fault.status(500))
  server.upstreams.second.always(fault.status(500, { message: "out of film" }))
  const answer = await server.submit()
  expect(answer.status).toBe(202)
  expect(await server.until(getId(answer), ...terminalStatuses)).toEqual({
    id: getId(answer),
    polling_url: `/api/v1/videos/${getId(answer)}`,
    status: "failed",
    generation_id: getId(answer),
    error: "All 2 attempts failed; the last one: second: server_error (500): out of film"
  })
  const next = await server.submit({ duration: 8 })
  expect(next.status).toBe(202)
})

test.each([
  ["failed", { status: "failed", error: { code: "x", message: "out of film" } }, "out of film"],
  ["cancelled", { status: "cancelled" }, "The provider reports the job as cancelled"],
  ["expired", { status: "expired" }, "The provider reports the job as expired"]
])("a job that its provider ends as %s costs nothing", async (status, moment, error) => {
  const server = await startVideoTestServer({ options: { credits: { default: "1" } } })
  server.upstreams.first.videos.script("in_progress", moment)
  const id = getId(await server.submit())
  const job = await server.until(id, ...terminalStatuses)
  expect(job).toMatchObject({ status, error })
  expect(job).not.toHaveProperty("usage")
  const credits = await server.ask("GET", "/credits", { key: videoKeys.management })
  expect(credits.body).toEqual({ data: { total_credits: 1, total_usage: 0 } })
  const record = await server.ask("GET", `/generation?id=${id}`)
  expect(getProperty(record.body, "data")).toMatchObject({ total_cost: 0, api_type: "video" })
})

test("a job in an unknown state is polled until it expires", async () => {
  const videoTimeoutMillis = 3_600_000
  const server = await startVideoTestServer({ settings: { videoTimeoutMillis } })
  const { first } = server.upstreams
  first.videos.script("dreaming")
  const id = getId(await server.submit())
  // The submit and three polls.
  await first.waitForRequests(4)
  expect(await server.poll(id)).toMatchObject({ body: { status: "pending" } })
  jumpClocks(videoTimeoutMillis)
  expect(await server.until(id, ...terminalStatuses)).toMatchObject({
    status: "expired",
    error: "Job exceeded maximum time to live"
  })
})

test("a failed poll does not change the job", async () => {
  const server = await startVideoTestServer()
  server.upstreams.first
    .when(({ method }) => method === "GET")
    .script(fault.status(500), fault.status(404), fault.drop())
  const id = getId(await server.submit())
  expect(await server.until(id, ...terminalStatuses)).toMatchObject({ status: "completed" })
})

test("the cost reported by the provider is charged once and recorded", async () => {
  const server = await startVideoTestServer({ options: { credits: { default: "10" } } })
  server.upstreams.first.videos.script({ status: "completed", cost: 0.123456789 })
  const id = getId(await server.submit())
  expect(getProperty(await server.until(id, "completed"), "usage")).toEqual({
    cost: 0.123456789,
    is_byok: false
  })
  const credits = await server.ask("GET", "/credits", { key: videoKeys.management })
  expect(getProperty(credits.body, "data")).toMatchObject({ total_usage: 0.123456789 })
  const record = await server.ask("GET", `/generation?id=${id}`)
  expect(getProperty(record.body, "data")).toMatchObject({
    id,
    total_cost: 0.123456789,
    provider_name: "first",
    model: "proof/film"
  })
})

test("the records of video requests are found by the x-request-id of the submission", async () => {
  const server = await startVideoTestServer({ options: { credits: { default: "1" } } })
  const find = async (path: string) => {
    const { body } = await server.ask("GET", path, { key: videoKeys.management })
    return getProperty(body, "data")
  }
  const submit = (requestId: string, changes: Readonly<Record<string, unknown>> = {}) =>
    server.submit(changes, { headers: { "x-request-id": requestId } })
  server.upstreams.first.videos.script("completed")
  const done = getId(await submit("req-done"))
  await server.until(done, "completed")
  server.upstreams.first.videos.script("failed")
  const failed = getId(await submit("req-failed"))
  await server.until(failed, "failed")
  expect((await submit("req-refused", { duration: 8 })).status).toBe(402)
  expect((await submit("req-invalid", { duration: -1 })).status).toBe(400)

  for (const [requestId, record] of [
    ["req-done", { id: done, outcome: "answered" }],
    ["req-failed", { id: failed, outcome: "VideoFailed" }],
    ["req-refused", { outcome: "LimitExceeded" }]
  ] as const) {
    const expected = { ...record, request_id: requestId }
    expect(await find(`/signalbox/generations/${requestId}`)).toMatchObject(expected)
    expect(await find(`/signalbox/generations?request_id=${requestId}`)).toMatchObject([expected])
    expect(await find(`/signalbox/failed-requests?request_id=${requestId}`)).toEqual([])
  }
  expect(await find("/signalbox/failed-requests?request_id=req-invalid")).toMatchObject([
    { request_id: "req-invalid", status: 400 }
  ])
})

test("concurrent submits beyond a limit are rejected", async () => {
  // Each costs 0.4 USD, so the credits suffice for fifty.
  const server = await startVideoTestServer({ options: { credits: { default: "20" } } })
  server.upstreams.first.videos.always("in_progress")
  const answers = await Promise.all(Array.from({ length: 200 }, () => server.submit()))
  const statuses = answers.map(({ status }) => status)
  expect(statuses.filter((status) => status === 202)).toHaveLength(50)
  expect(statuses.filter((status) => status === 402)).toHaveLength(150)
})

test("fifty identical submits with one idempotency key are one job, and another body is rejected", async () => {
  const server = await startVideoTestServer({ options: { credits: { default: "0.4" } } })
  server.upstreams.first.videos.always("in_progress")
  const headers = { "idempotency-key": "k-1" }
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => server.submit({}, { headers }))
  )
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 202))
  expect(new Set(answers.map(getId)).size).toBe(1)
  await server.until(getId(answers[0]!), "in_progress")
  expect(server.upstreams.first.videos.jobs).toHaveLength(1)
  const other = await server.submit({ prompt: "something else" }, { headers })
  expect([other.status, getProperty(getProperty(other.body, "error"), "message")]).toEqual([
    400,
    "idempotency-key: was used for another request"
  ])
  const stranger = await server.submit({}, { headers, key: videoKeys.other })
  expect(stranger.status).toBe(402)
})

const getWorkspace = (rows: unknown) => {
  const data = getProperty(rows, "data")
  return getProperty(Array.isArray(data) ? data[0] : undefined, "workspace_id")
}

test("a job is visible only to its workspace", async () => {
  const server = await startVideoTestServer()
  const id = getId(await server.submit())
  await server.until(id, "completed")
  for (const path of [`/videos/${id}`, `/videos/${id}/content`]) {
    const theirs = await server.ask("GET", path, { key: videoKeys.other })
    const missing = await server.ask("GET", path.replace(id, unknownId), { key: videoKeys.other })
    expect(theirs.status).toBe(404)
    expect(theirs.text).toBe(missing.text)
  }
  const cancel = (of: string) =>
    server.ask("POST", `/signalbox/videos/${of}/cancel`, { key: videoKeys.other })
  expect((await cancel(id)).text).toBe((await cancel(unknownId)).text)
  const managed = await server.ask("GET", "/signalbox/videos?status=completed", {
    key: videoKeys.management
  })
  expect(managed.body).toMatchObject({ total_count: 1, data: [{ id, provider_name: "first" }] })
  const inWorkspace = (named: string) =>
    server.ask("GET", `/signalbox/videos?workspace_id=${named}`, { key: videoKeys.management })
  const bySlug = await inWorkspace("default")
  expect(bySlug.body).toMatchObject({ total_count: 1, data: [{ id }] })
  expect((await inWorkspace(String(getWorkspace(bySlug.body)))).body).toEqual(bySlug.body)
  expect((await inWorkspace("unknown")).status).toBe(404)
  const byMember = await server.ask("GET", "/signalbox/videos")
  expect(byMember.status).toBe(403)
})

test("a cancelled job stays cancelled and is charged when its provider cannot stop it", async () => {
  const server = await startVideoTestServer({ options: { credits: { default: "1" } } })
  server.upstreams.first.videos.script("in_progress")
  const id = getId(await server.submit())
  await server.until(id, "in_progress")
  for (let twice = 0; twice < 2; twice++) {
    const cancelled = await server.ask("POST", `/signalbox/videos/${id}/cancel`)
    expect(cancelled.body).toMatchObject({ data: { id, status: "cancelled" } })
  }
  const credits = await server.ask("GET", "/credits", { key: videoKeys.management })
  expect(getProperty(credits.body, "data")).toMatchObject({ total_usage: 0.4 })
  const audit = await server.ask("GET", "/signalbox/audit", { key: videoKeys.management })
  expect(getProperty(audit.body, "data")).toMatchObject([
    { action: "video.cancel", target: id, before: { status: "in_progress" } }
  ])
})

test("a cancelled job costs nothing when its provider can stop it", async () => {
  const stopped: Array<string> = []
  const server = await startVideoTestServer({
    options: { credits: { default: "1" } },
    upstream: (upstream) => ({
      ...upstream,
      videos: {
        ...upstream.videos!,
        cancel: ({ upstreamId }) => Effect.sync(() => void stopped.push(upstreamId))
      }
    })
  })
  server.upstreams.first.videos.script("in_progress")
  const id = getId(await server.submit())
  await server.until(id, "in_progress")
  await server.ask("POST", `/signalbox/videos/${id}/cancel`)
  expect(stopped).toEqual(server.upstreams.first.videos.jobs.map((job) => job.id))
  const credits = await server.ask("GET", "/credits", { key: videoKeys.management })
  expect(getProperty(credits.body, "data")).toMatchObject({ total_usage: 0 })
})

test("a webhook at the callback URL receives the end of a job once", async () => {
  const server = await startVideoTestServer()
  const { received, url } = await startReceiver()
  const id = getId(await server.submit({ callback_url: url }))
  await server.until(id, "completed")
  await expect.poll(() => received.length).toBe(1)
  expect(received[0]?.headers["x-openrouter-idempotency-key"]).toBe(`${id}-completed`)
  expect(received[0]?.body).toMatchObject({
    type: "video.generation.completed",
    data: {
      id,
      status: "completed",
      generation_id: id,
      model: "proof/film",
      unsigned_urls: [`/api/v1/videos/${id}/content?index=0`],
      usage: { cost: 0.4, is_byok: false }
    }
  })
})

test.each(["", "/behind/ai"])(
  "polling_url is a path with the mount, also with a public URL, mounted at '%s'",
  async (mount) => {
    const server = await startVideoTestServer({
      mount,
      settings: { publicUrl: "https://ai.example.com/" }
    })
    const { received, url } = await startReceiver()
    const submitted = await server.submit({ callback_url: url })
    const id = getId(submitted)
    const polling_url = `${mount}/api/v1/videos/${id}`
    const absolute_polling_url = `https://ai.example.com${polling_url}`
    expect(submitted.body).toMatchObject({ polling_url, absolute_polling_url })
    const unsigned_urls = [`${absolute_polling_url}/content?index=0`]
    const job = { polling_url, absolute_polling_url, unsigned_urls }
    expect(await server.until(id, "completed")).toMatchObject(job)
    const list = await server.ask("GET", "/signalbox/videos", { key: videoKeys.management })
    expect(list.body).toMatchObject({ data: [job] })
    await expect.poll(() => received.length).toBe(1)
    expect(received[0]?.body).toMatchObject({ data: { id, unsigned_urls } })
    expect(await server.instance.videos.get({ jobId: id }, { mount })).toMatchObject(job)
    const unmounted = `/api/v1/videos/${id}`
    expect(await server.instance.videos.get({ jobId: id })).toMatchObject({
      polling_url: unmounted,
      unsigned_urls: [`https://ai.example.com${unmounted}/content?index=0`]
    })
  }
)

test("a customer's own credential submits, polls and downloads; the customer pays its provider", async () => {
  const server = await startVideoTestServer({
    options: {
      credits: { default: "1" },
      sealing: { current: "k", keys: { k: "a sealing key that nobody is going to guess" } },
      credentials: [{ provider: "first", key: "sk-of-a-customer" }]
    }
  })
  const { first } = server.upstreams
  first.videos.script("in_progress", "completed")
  const id = getId(await server.submit())
  expect(getProperty(await server.until(id, "completed"), "usage")).toEqual({
    cost: 0,
    is_byok: true
  })
  await server.ask("GET", `/videos/${id}/content`)
  expect(new Set(first.requests.map(({ headers }) => headers["authorization"]))).toEqual(
    new Set(["Bearer sk-of-a-customer"])
  )
  const credits = await server.ask("GET", "/credits", { key: videoKeys.management })
  expect(getProperty(credits.body, "data")).toMatchObject({ total_usage: 0 })
  const record = await server.ask("GET", `/generation?id=${id}`)
  expect(getProperty(record.body, "data")).toMatchObject({
    is_byok: true,
    total_cost: 0,
    upstream_inference_cost: 0.4
  })
})

test("the customer's credential is redacted from the provider's error", async () => {
  const secret = "sk-of-a-customer-77e0"
  const server = await startVideoTestServer({
    options: {
      sealing: { current: "k", keys: { k: "a sealing key that nobody is going to guess" } },
      credentials: [{ provider: "first", key: secret }]
    }
  })
  const { received, url } = await startReceiver()
  const error = { code: "x", message: `the key ${secret} is out of film` }
  server.upstreams.first.videos.script("in_progress", { status: "failed", error })
  const id = getId(await server.submit({ callback_url: url }))
  const job = await server.until(id, "failed")
  expect(getProperty(job, "error")).toMatch(/^the key .* is out of film$/)
  await expect.poll(() => received.length).toBe(1)
  const record = await server.ask("GET", `/generation?id=${id}`)
  expect(JSON.stringify([job, received[0]?.body, record.body])).not.toContain(secret)
})

test("a continuation goes to the provider that made the video", async () => {
  const server = await startVideoTestServer()
  const before = getId(await server.submit())
  await server.until(before, "completed")
  const order = { provider: { order: ["second"] }, previous_job_id: before }
  const id = getId(await server.submit(order))
  await server.until(id, "completed")
  const [made, continued] = server.upstreams.first.videos.jobs
  expect(continued?.continues).toBe(made?.id)
  const unfinished = await server.submit()
  server.upstreams.first.videos.always("in_progress")
  const running = getId(await server.submit())
  const responses = await Promise.all([
    server.submit({ previous_job_id: running }),
    server.submit({ previous_job_id: unknownId }),
    server.submit({ previous_job_id: before }, { key: videoKeys.other })
  ])
  expect(responses.map(({ status }) => status)).toEqual([400, 404, 404])
  expect(unfinished.status).toBe(202)
})

test.each([
  ["its capability is unknown", undefined, undefined, 400],
  ["its upstream supports it for all models", undefined, true, 202],
  ["the catalog rules it out, although its upstream supports it", false, true, 400],
  ["the catalog states it", true, undefined, 202]
] as const)(
  "the support for continuations of a model is determined: %s",
  async (_, stated, supportsContinuation, status) => {
    const { supports_continuation: __, ...video } = capabilities
    const server = await startVideoTestServer({
      video: stated === undefined ? video : { ...video, supports_continuation: stated },
      upstream: (upstream) => ({
        ...upstream,
        videos: { ...upstream.videos!, ...(supportsContinuation && { supportsContinuation }) }
      })
    })
    const before = getId(await server.submit())
    await server.until(before, "completed")
    const answer = await server.submit({ previous_job_id: before })
    const message = getProperty(getProperty(answer.body, "error"), "message")
    expect([answer.status, message]).toEqual([
      status,
      status === 202 ? undefined : "previous_job_id: proof/film does not continue videos"
    ])
    const { jobs } = server.upstreams.first.videos
    await expect.poll(() => jobs.length).toBe(status === 202 ? 2 : 1)
  }
)

test("an overlay can state that a model supports continuations", async () => {
  const { supports_continuation: _, ...video } = capabilities
  const server = await startVideoTestServer({
    video,
    options: { overlay: { "proof/film": { video: { ...video, supports_continuation: true } } } }
  })
  const before = getId(await server.submit())
  await server.until(before, "completed")
  expect((await server.submit({ previous_job_id: before })).status).toBe(202)
  const { body } = await server.ask("GET", "/videos/models")
  expect(getProperty(body, "data")).toMatchObject([{ supports_continuation: true }])
})

test("the content of unfinished and of expired videos is not available", async () => {
  const server = await startVideoTestServer({ settings: { videoContentRetentionMillis: 1 } })
  server.upstreams.first.videos.script("in_progress")
  const running = getId(await server.submit())
  const early = await server.ask("GET", `/videos/${running}/content`)
  expect([early.status, getProperty(getProperty(early.body, "error"), "code")]).toEqual([409, 409])
  const id = getId(await server.submit())
  await server.until(id, "completed")
  await expect.poll(async () => (await server.ask("GET", `/videos/${id}/content`)).status).toBe(410)
  const none = await server.ask("GET", `/videos/${id}/content?index=1`)
  expect(none.status).toBe(404)
  const wrong = await server.ask("GET", `/videos/${id}/content?index=-1`)
  expect(wrong.status).toBe(400)
})

test("a download answers 502 when the provider fails and 410 when it has deleted the file", async () => {
  const server = await startVideoTestServer()
  const id = getId(await server.submit())
  await server.until(id, "completed")
  const contentRoute = server.upstreams.first.when(({ path }) => path.includes("/content"))
  for (const [step, status] of [
    [fault.status(500), 502],
    [fault.drop(), 502],
    [fault.status(410), 410],
    [fault.status(404), 410]
  ] as const) {
    contentRoute.script(step)
    expect((await server.ask("GET", `/videos/${id}/content`)).status).toBe(status)
  }
})

test("every error of a submit has an envelope with its status", async () => {
  const server = await startVideoTestServer({ options: { credits: { default: "0.5" } } })
  const readError = async (
    changes: Readonly<Record<string, unknown>>,
    sending: Parameters<typeof server.submit>[1] = {}
  ) => {
    const { body, status } = await server.submit(changes, sending)
    const error = getProperty(body, "error")
    expect(getProperty(error, "code")).toBe(status)
    return [status, getProperty(error, "message")]
  }
  expect(await readError({ prompt: undefined })).toEqual([400, "prompt: is required by this model"])
  expect(await readError({ model: "proof/none" })).toEqual([
    400,
    "proof/none is not a valid model ID"
  ])
  expect(await readError({ model: "proof/words" })).toEqual([
    400,
    "proof/words cannot be used with the videos endpoint"
  ])
  expect(await readError({ duration: 5 })).toEqual([
    400,
    "duration: 5 is not supported by this model; it supports 4, 8"
  ])
  expect((await readError({ upscale_factor: 2 }))[0]).toBe(400)
  expect((await readError({ callback_url: "ftp://x.example" }))[0]).toBe(400)
  expect(await readError({ provider: { wish: 1 } })).toEqual([
    400,
    "provider.wish: unknown routing preference"
  ])
  expect((await readError({}, { key: "" }))[0]).toBe(401)
  expect((await readError({ duration: 8 }))[0]).toBe(402)
  expect((await readError({}, { key: videoKeys.management }))[0]).toBe(403)
  expect((await readError({ provider: { zdr: true } }))[0]).toBe(404)
  expect((await readError({ provider: { only: ["nobody"] } }))[0]).toBe(404)
  expect((await readError({ prompt: "x".repeat(1_048_577) }))[0]).toBe(413)
})

test("a submit is answered with a 429 and retry-after while all providers are rate limited", async () => {
  const server = await startVideoTestServer()
  for (const upstream of Object.values(server.upstreams)) {
    upstream.always(fault.status(429, { retryAfter: 60 }))
  }
  const job = await server.submit()
  expect(await server.until(getId(job), ...terminalStatuses)).toMatchObject({ status: "failed" })
  const refused = await server.submit()
  expect(refused.status).toBe(429)
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(50)
})

test("an in-process caller can submit and download videos", async () => {
  const { instance, upstreams } = await startVideoTestServer()
  const request = { model: "proof/film", prompt: "x", duration: 4, provider: { order: ["first"] } }
  const options = { idempotencyKey: "once" }
  const { id, status } = await instance.videos.submit(request, options)
  expect(status).toBe("pending")
  expect((await instance.videos.submit(request, options)).id).toBe(id)
  await expect.poll(async () => (await instance.videos.get({ jobId: id })).status).toBe("completed")
  const { body, contentType, length } = await instance.videos.download(
    { jobId: id },
    { range: { first: 990 } }
  )
  expect([contentType, length]).toEqual(["video/mp4", 10])
  expect(new Uint8Array(await buffer(body))).toEqual(upstreams.first.videos.content.slice(990))
  expect((await instance.videos.cancel({ jobId: id })).data.status).toBe("completed")
  await expect(instance.videos.get({ jobId: unknownId })).rejects.toMatchObject({ status: 404 })
  await expect(instance.videos.download({ jobId: id, index: 9 })).rejects.toMatchObject({
    status: 404
  })
  await expect(instance.videos.submit({ ...request, duration: 5 })).rejects.toMatchObject({
    status: 400
  })
  for (const range of [{ first: -1 }, { first: 0.5 }, { first: 5, last: 2 }, { suffix: NaN }]) {
    await expect(instance.videos.download({ jobId: id }, { range })).rejects.toMatchObject({
      status: 400,
      metadata: { path: ["range"] }
    })
  }
})

test("stored files are served after the provider has deleted them, until their retention ends", async () => {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-videos-"))
  const server = await startVideoTestServer({
    options: { videoFiles: fileBlobs(folder) },
    settings: { videoContentRetentionMillis: 4_000 }
  })
  const { first } = server.upstreams
  // The first download is truncated; files are stored completely or not at all.
  const contentRoute = first.when(({ path }) => path.includes("/content"))
  contentRoute.script(fault.truncated())
  const id = getId(await server.submit())
  await server.until(id, "completed")
  await expect.poll(() => readdirSync(folder), { timeout: 240_000 }).toEqual([`${id}-0`])
  contentRoute.always(fault.status(410))
  const whole = await download(server, id)
  expect([whole.status, whole.bytes]).toEqual([200, first.videos.content])
  const part = await download(server, id, "bytes=-10")
  expect([part.status, part.bytes]).toEqual([206, first.videos.content.slice(-10)])
  expect(part.range).toBe("bytes 990-999/1000")
  const beyond = await download(server, id, "bytes=1000-")
  expect([beyond.status, beyond.range]).toEqual([416, "bytes */1000"])
  await expect.poll(() => readdirSync(folder), { timeout: 240_000 }).toEqual([])
  expect((await download(server, id)).status).toBe(410)
})

test("a download that its provider breaks off fails", async () => {
  const server = await startVideoTestServer()
  const { first } = server.upstreams
  const id = getId(await server.submit())
  await server.until(id, "completed")
  first.when(({ path }) => path.includes("/content")).script(fault.truncated())
  await expect(download(server, id)).rejects.toThrow("terminated")
  expect((await download(server, id)).bytes).toEqual(first.videos.content)
})

const download = async ({ root }: { readonly root: string }, id: string, range?: string) => {
  const response = await fetch(`${root}/api/v1/videos/${id}/content`, {
    headers: {
      authorization: `Bearer ${videoKeys.member}`,
      ...(range === undefined ? undefined : { range })
    }
  })
  return {
    status: response.status,
    range: response.headers.get("content-range"),
    bytes: new Uint8Array(await response.arrayBuffer())
  }
}

test("a job with an unknown price is rejected under a limit and free without one", async () => {
  const video = { ...capabilities, pricing_skus: { duration_seconds_480p: "0.1" } }
  const limited = await startVideoTestServer({ video, options: { credits: { default: "1" } } })
  const refused = await limited.submit({ resolution: "720p" })
  expect(refused.status).toBe(404)
  const priced = await limited.submit({ resolution: "480p" })
  expect(priced.status).toBe(202)
  const free = await startVideoTestServer({ video })
  const id = getId(await free.submit({ resolution: "720p" }))
  expect(getProperty(await free.until(id, "completed"), "usage")).toEqual({ is_byok: false })
})
