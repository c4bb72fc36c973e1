import { ScriptedUpstream, fault, pace, reply } from "../src/index.ts"
import { connect } from "node:net"
import { expect, expectTypeOf, it } from "vitest"
import { chat, decide, decisionsRequest, makeAgent, post, startUpstream } from "./client.ts"

it("records method, path, headers, body and order", async () => {
  const upstream = await startUpstream()
  await post(`${upstream.url}/api/alpha/decisions?trace=1`, decisionsRequest, {
    headers: { Authorization: "Bearer sk-customer", "X-Session-Id": "s-1" }
  })
  await post(`${upstream.url}/v1/chat/completions`, "not { JSON")
  const [first, second] = upstream.requests
  expect(first).toMatchObject({
    at: 1,
    method: "POST",
    path: "/api/alpha/decisions?trace=1",
    headers: {
      authorization: "Bearer sk-customer",
      "x-session-id": "s-1",
      "content-type": "application/json"
    },
    raw: JSON.stringify(decisionsRequest),
    body: decisionsRequest,
    model: "author/judge",
    aborted: false
  })
  expect(second).toMatchObject({ at: 2, raw: "not { JSON", model: undefined, aborted: false })
  expect(second!.body).toBeUndefined()
  expect(upstream.requests).toHaveLength(2)
})

it("joins characters that arrive in two pieces", async () => {
  const upstream = await startUpstream()
  const bytes = Buffer.from(JSON.stringify({ ...decisionsRequest, state: "né" }))
  const middle = bytes.indexOf(0xc3) + 1
  const body = (async function* () {
    yield bytes.subarray(0, middle)
    await new Promise(setImmediate)
    yield bytes.subarray(middle)
  })()
  const response = await fetch(`${upstream.url}/api/alpha/decisions`, {
    method: "POST",
    body,
    duplex: "half"
  })
  await response.text()
  expect(response.status).toBe(200)
  expect(upstream.requests[0]).toMatchObject({ body: { state: "né" } })
})

it("plays a queue in order, then the default step, then correct answers", async () => {
  const upstream = await startUpstream()
  const statuses = async (count: number) => {
    const seen: Array<number> = []
    for (let i = 0; i < count; i++) seen.push((await decide(upstream)).status)
    return seen
  }
  upstream.script(fault.status(500), fault.status(503))
  upstream.script(fault.status(429))
  expect(await statuses(4)).toEqual([500, 503, 429, 200])
  upstream.always(fault.status(402))
  upstream.script(reply.decision())
  expect(await statuses(3)).toEqual([200, 402, 402])
  upstream.always(reply.decision())
  expect(await statuses(1)).toEqual([200])
})

it("plays the script of a model before its own", async () => {
  const upstream = await startUpstream()
  upstream.always(fault.status(500))
  upstream.forModel("author/judge").script(fault.status(404))
  upstream.forModel("author/judge").always(reply.decision())
  expect((await chat(upstream)).status).toBe(500)
  expect((await decide(upstream)).status).toBe(404)
  expect((await decide(upstream)).status).toBe(200)
  upstream.forModel("judge-mini").script(reply.chat("mine"))
  expect((await chat(upstream)).text).toContain('"mine"')
  expect((await chat(upstream)).status).toBe(500)
})

it("plays the newest matching script with a step, at any path", async () => {
  const upstream = await startUpstream()
  upstream.when(({ path }) => path === "/api/v1/models").always(reply.json({ data: [] }))
  upstream.when(({ raw }) => raw.includes("invoice")).script(fault.status(413))
  upstream.when(({ raw }) => raw.includes("invoice")).script(fault.status(422))
  expect((await decide(upstream)).status).toBe(422)
  expect((await decide(upstream)).status).toBe(413)
  expect((await decide(upstream)).status).toBe(200)
  const models = await fetch(`${upstream.url}/api/v1/models`)
  expect(await models.json()).toEqual({ data: [] })
  expect(upstream.requests.at(-1)).toMatchObject({ method: "GET", raw: "", body: undefined })
})

it("answers 500 if a condition of the test throws", async () => {
  const upstream = await startUpstream()
  upstream
    .when(() => {
      throw new Error("no such header")
    })
    .always(reply.decision())
  const { status, text } = await decide(upstream)
  expect(status).toBe(500)
  expect(text).toContain("no such header")
})

it("counts connections: one for all requests on a kept-alive one", async () => {
  const upstream = await startUpstream()
  const agent = makeAgent({ connections: 1 })
  for (let i = 0; i < 3; i++) await decide(upstream, { agent })
  expect(upstream.connections).toBe(1)
  await decide(upstream)
  expect(upstream.connections).toBe(2)
})

it("waits for a number of requests, including earlier ones", async () => {
  const upstream = await startUpstream()
  const gate = upstream.gate()
  upstream.always(pace.hold(gate))
  let answered = 0
  const all = Promise.all(
    [1, 2, 3].map(async () => {
      await decide(upstream)
      answered++
    })
  )
  const three = await upstream.waitForRequests(3)
  expect(three.map(({ at }) => at)).toEqual([1, 2, 3])
  expect(answered).toBe(0)
  expect(await upstream.waitForRequests(1)).toEqual([three[0]])
  gate.open()
  await all
  expect(answered).toBe(3)
})

it("records a client that disconnects before its response", async () => {
  const upstream = await startUpstream()
  upstream.always(fault.silent())
  const leaving = new AbortController()
  const left = decide(upstream, { signal: leaving.signal })
  await upstream.waitForRequests(1)
  expect(upstream.requests[0]!.aborted).toBe(false)
  leaving.abort()
  await expect(left).rejects.toThrow("aborted")
  expect(await upstream.waitForAborts(1)).toEqual([
    expect.objectContaining({ at: 1, aborted: true })
  ])
})

it("records a client that disconnects during its request, without consuming a step", async () => {
  const upstream = await startUpstream()
  upstream.script(fault.status(503))
  const socket = connect(Number(new URL(upstream.url).port), "127.0.0.1")
  const head = "POST /api/alpha/decisions HTTP/1.1\r\nhost: upstream\r\ncontent-length: 100\r\n\r\n"
  socket.write(`${head}{"model":`, () => socket.destroy())
  const [left] = await upstream.waitForAborts(1)
  expect(left).toMatchObject({ at: 1, aborted: true, raw: '{"model":', body: undefined })
  expect(upstream.requests).toEqual([left])
  expect((await decide(upstream)).status).toBe(503)
})

it("does not count a served or dropped client as aborted", async () => {
  const upstream = await startUpstream()
  const agent = makeAgent()
  upstream.script(reply.decision(), fault.truncated(), fault.drop())
  await decide(upstream, { agent })
  await agent.destroy()
  await expect(decide(upstream)).rejects.toMatchObject({ code: "UND_ERR_SOCKET" })
  await expect(decide(upstream)).rejects.toMatchObject({ code: "ECONNRESET" })
  await upstream.close()
  expect(upstream.requests.map(({ aborted }) => aborted)).toEqual([false, false, false])
})

it("closes at once, and may be closed twice", async () => {
  const upstream = await ScriptedUpstream.start()
  const gate = upstream.gate()
  upstream.script(
    fault.silent(),
    fault.silent("response_body"),
    pace.delay(60_000),
    pace.delay(60_000, "response_headers"),
    pace.hold(gate),
    reply.chat(["a", 60_000, "b"]),
    reply.chat(["a", gate, "b"])
  )
  // One after the other, so that each gets its own step.
  const next = async (before: number, send: () => Promise<unknown>) => {
    await upstream.waitForRequests(before)
    return send().then(
      () => "answered",
      () => "failed"
    )
  }
  const stream = () => chat(upstream, { stream: true })
  const open = [0, 1, 2, 3, 4].map((before) => next(before, () => decide(upstream)))
  open.push(next(5, stream), next(6, stream))
  await upstream.waitForRequests(7)
  const late = upstream.waitForRequests(8).catch((error: unknown) => error)
  await Promise.all([upstream.close(), upstream.close()])
  expect(await late).toEqual(new Error("closed after 7 of 8 requests"))
  await expect(upstream.waitForAborts(1)).rejects.toThrow("closed after 0 of 1 aborted requests")
  expect(await Promise.all(open)).toEqual(Array.from({ length: 7 }, () => "failed"))
  await expect(decide(upstream)).rejects.toMatchObject({ code: "ECONNREFUSED" })
})

it("is disposed of by `await using`", async () => {
  let url = ""
  {
    await using upstream = await ScriptedUpstream.start()
    url = upstream.url
    expect((await decide(upstream)).status).toBe(200)
  }
  await expect(post(url, {})).rejects.toMatchObject({ code: "ECONNREFUSED" })
})

it("has read-only records in its types", () => {
  expectTypeOf<ScriptedUpstream["requests"]>().toExtend<ReadonlyArray<{ readonly body: unknown }>>()
  // @ts-expect-error a client cannot be silent at a moment it has no say in
  void (() => fault.silent("accept"))
})
