import { fault, type ScriptedUpstream } from "../src/index.ts"
import { request } from "undici"
import { describe, expect, it } from "vitest"
import { makeAgent, post, startUpstream } from "./client.ts"

const get = async (url: string, headers: Record<string, string> = {}, method = "GET") => {
  const response = await request(url, { headers, method, dispatcher: makeAgent() })
  const bytes = Buffer.from(await response.body.arrayBuffer())
  return { status: response.statusCode, headers: response.headers, bytes, text: bytes.toString() }
}

const json = async (url: string) => JSON.parse((await get(url)).text)

const submit = async (
  upstream: ScriptedUpstream,
  path = "/api/v1/videos",
  body: object = { model: "acme/film" },
  headers: Record<string, string> = {}
) => {
  const { status, text } = await post(`${upstream.url}${path}`, body, { headers })
  return { status, job: JSON.parse(text) }
}

describe("jobs of OpenRouter's API", () => {
  it("are accepted with 202, and completed at the first poll unless scripted", async () => {
    const upstream = await startUpstream()
    const { job, status } = await submit(upstream)
    expect(status).toBe(202)
    expect(job.id).toMatch(/^gen-vid-\d+-[0-9A-Za-z]{20}$/)
    expect(job).toEqual({
      id: job.id,
      polling_url: `/api/v1/videos/${job.id}`,
      status: "pending"
    })
    const polled = await json(upstream.url + job.polling_url)
    expect(polled).toMatchObject({ status: "completed", generation_id: `gen-${job.id}` })
    expect(polled.unsigned_urls).toHaveLength(1)
  })

  it("follow their script, one state for each poll, and stay at its end", async () => {
    const upstream = await startUpstream()
    upstream.videos.script("in_progress", {
      status: "failed",
      error: { code: "broken", message: "out of film" }
    })
    const { job } = await submit(upstream)
    const states = [1, 2, 3].map(() => json(upstream.url + job.polling_url))
    expect(await Promise.all(states)).toMatchObject([
      { status: "in_progress" },
      { status: "failed", error: "out of film" },
      { status: "failed" }
    ])
    expect(upstream.videos.jobs).toMatchObject([{ id: job.id, polls: 3 }])
    const { job: next } = await submit(upstream)
    expect(await json(upstream.url + next.polling_url)).toMatchObject({ status: "completed" })
  })

  it("are one job for submits with one key", async () => {
    const upstream = await startUpstream()
    const key = { "idempotency-key": "once" }
    const body = { model: "acme/film" }
    const first = await submit(upstream, "/api/v1/videos", body, key)
    const second = await submit(upstream, "/api/v1/videos", body, key)
    const other = await submit(upstream)
    expect(second.job.id).toBe(first.job.id)
    expect(other.job.id).not.toBe(first.job.id)
    expect(upstream.videos.jobs.map(({ submits }) => submits)).toEqual([2, 1])
  })

  it("need a model, and are found only by their id", async () => {
    const upstream = await startUpstream()
    expect((await submit(upstream, "/api/v1/videos", {})).status).toBe(400)
    expect((await get(`${upstream.url}/api/v1/videos/nobody`)).status).toBe(404)
    expect((await get(`${upstream.url}/api/v1/videos/nobody/content`)).status).toBe(404)
    expect(upstream.videos.jobs).toEqual([])
  })
})

describe("jobs of OpenAI's API", () => {
  it("are submitted as a form or as JSON, with the states of that API", async () => {
    const upstream = await startUpstream()
    const form = new FormData()
    form.append("model", "sora-2")
    form.append("prompt", "A cat")
    const submitted = await fetch(`${upstream.url}/v1/videos`, { method: "POST", body: form })
    expect(submitted.status).toBe(200)
    expect(await submitted.json()).toMatchObject({ object: "video", status: "queued" })
    await submit(upstream, "/v1/videos", { model: "sora-2-pro" })
    expect(upstream.videos.jobs.map(({ model }) => model)).toEqual(["sora-2", "sora-2-pro"])
    expect(upstream.requests[0]?.model).toBe("sora-2")
  })

  it("are continued by a remix, and deleted", async () => {
    const upstream = await startUpstream()
    const { job } = await submit(upstream, "/v1/videos", { model: "sora-2" })
    await submit(upstream, `/v1/videos/${job.id}/remix`, { prompt: "At night" })
    expect(upstream.videos.jobs[1]).toMatchObject({ model: "sora-2", continues: job.id })
    const url = `${upstream.url}/v1/videos/${job.id}`
    expect((await get(url, {}, "DELETE")).status).toBe(200)
    expect((await get(url, {}, "DELETE")).status).toBe(404)
    expect((await get(url)).status).toBe(404)
  })
})

describe("content", () => {
  it("is available once the job is completed, whole and in ranges", async () => {
    const upstream = await startUpstream()
    upstream.videos.content = Buffer.from("0123456789")
    const { job } = await submit(upstream)
    const url = `${upstream.url}${job.polling_url}/content?index=0`
    expect((await get(url)).status).toBe(409)
    await json(upstream.url + job.polling_url)
    const whole = await get(url)
    expect(whole).toMatchObject({ status: 200, text: "0123456789" })
    expect(whole.headers).toMatchObject({ "content-type": "video/mp4", "content-length": "10" })
    const range = await get(url, { range: "bytes=2-4" })
    expect(range).toMatchObject({ status: 206, text: "234" })
    expect(range.headers["content-range"]).toBe("bytes 2-4/10")
    expect((await get(url, { range: "bytes=-3" })).text).toBe("789")
    expect((await get(url, { range: "bytes=8-99" })).text).toBe("89")
    expect((await get(url, { range: "bytes=10-" })).status).toBe(416)
    expect((await get(url, { range: "bananas" })).status).toBe(200)
    expect((await get(url.replace("index=0", "index=1"))).status).toBe(404)
  })
})

describe("faults", () => {
  it("disconnect a submit after its job is accepted, or before", async () => {
    const upstream = await startUpstream()
    upstream.script(fault.drop("request_body"), fault.drop("request_headers"))
    await expect(submit(upstream)).rejects.toThrow(/reset|socket|closed/i)
    expect(upstream.videos.jobs).toHaveLength(1)
    await expect(submit(upstream)).rejects.toThrow(/reset|socket|closed/i)
    expect(upstream.videos.jobs).toHaveLength(1)
  })

  it("are those of the other APIs", async () => {
    const upstream = await startUpstream()
    upstream.always(fault.status(429))
    expect(await submit(upstream)).toMatchObject({ status: 429, job: { error: { code: 429 } } })
    expect(await submit(upstream, "/v1/videos")).toMatchObject({
      status: 429,
      job: { error: { code: "rate_limit_exceeded" } }
    })
    upstream.always(fault.refusal())
    expect(await submit(upstream, "/v1/videos")).toMatchObject({
      status: 400,
      job: { error: { code: "content_policy_violation" } }
    })
    expect(upstream.videos.jobs).toEqual([])
  })
})
