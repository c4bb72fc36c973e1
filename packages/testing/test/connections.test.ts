import {
  type ResponsePhase,
  fault,
  type Gate,
  pace,
  reply,
  ScriptedUpstream,
  type Step
} from "../src/index.ts"
import { X509Certificate } from "node:crypto"
import { connect } from "node:net"
import { describe, expect, it } from "vitest"
import {
  chat,
  chatRequest,
  decide,
  decisionsRequest,
  makeAgent,
  post,
  start,
  startUpstream,
  exchangeRaw
} from "./client.ts"

// A client on Node 22 mistakes a reset that arrives together with bytes for an orderly end.
const holdThenDrop = (gate: Gate, after: ResponsePhase, step?: Step) =>
  pace.hold(gate, after, fault.drop(after, step))

describe("dropped connections", () => {
  it("are dropped after accept, before anything is read", async () => {
    const upstream = await startUpstream()
    upstream.script(fault.drop("accept"))
    expect(await exchangeRaw(upstream)).toEqual({ text: "", ending: "ECONNRESET" })
    expect(upstream.requests).toEqual([])
    expect(upstream.connections).toBe(1)
    expect((await decide(upstream)).status).toBe(200)
  })

  it("are dropped at the next request if they were kept alive", async () => {
    const upstream = await startUpstream()
    const agent = makeAgent({ connections: 1 })
    await decide(upstream, { agent })
    upstream.script(fault.drop("accept"))
    await expect(decide(upstream, { agent })).rejects.toMatchObject({ code: "ECONNRESET" })
    expect(upstream.connections).toBe(1)
    expect(upstream.requests[1]).toMatchObject({ raw: "", aborted: false })
  })

  it("are dropped after the request's headers, with the body unread", async () => {
    const upstream = await startUpstream()
    upstream.script(fault.drop("request_headers"))
    expect(await exchangeRaw(upstream)).toEqual({ text: "", ending: "ECONNRESET" })
    expect(upstream.requests).toMatchObject([
      { path: "/api/alpha/decisions", headers: { host: "upstream" }, raw: "", body: undefined }
    ])
    // A body larger than any buffer between client and server is not read either.
    upstream.script(fault.drop("request_headers"))
    const state = "x".repeat(20_000_000)
    const large = post(`${upstream.url}/api/alpha/decisions`, { ...decisionsRequest, state })
    await expect(large).rejects.toBeInstanceOf(Error)
    expect(upstream.requests[1]).toMatchObject({ raw: "" })
  })

  it("are dropped after the whole request", async () => {
    const upstream = await startUpstream()
    upstream.script(fault.drop())
    expect(await exchangeRaw(upstream)).toEqual({ text: "", ending: "ECONNRESET" })
    expect(upstream.requests[0]).toMatchObject({ body: decisionsRequest, aborted: false })
  })

  it("are dropped after the response's headers", async () => {
    const upstream = await startUpstream()
    const [seen, begun] = [upstream.gate(), upstream.gate()]
    upstream.script(holdThenDrop(seen, "response_headers"), holdThenDrop(begun, "response_headers"))
    const { ending, text } = await exchangeRaw(upstream, { onData: () => seen.open() })
    expect(ending).toBe("ECONNRESET")
    expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(text).toMatch(/\r\n\r\n$/)
    const response = await start(`${upstream.url}/api/alpha/decisions`, decisionsRequest)
    expect(response.statusCode).toBe(200)
    begun.open()
    await expect(response.body.text()).rejects.toMatchObject({ code: "ECONNRESET" })
  })

  it("are dropped in the middle of the body", async () => {
    const upstream = await startUpstream()
    const gate = upstream.gate()
    upstream.always(holdThenDrop(gate, "response_body", reply.json({ text: "0123456789" })))
    const { ending, text } = await exchangeRaw(upstream, {
      onData: (text) => {
        if (text.endsWith('"0')) gate.open()
      }
    })
    expect(ending).toBe("ECONNRESET")
    expect(text).toContain("content-length: 21\r\n")
    expect(text.split("\r\n\r\n")[1]).toBe('{"text":"0')
  })

  it("are dropped for one model only, after the request is read", async () => {
    const upstream = await startUpstream()
    upstream.forModel("author/judge").always(fault.drop("accept"))
    await expect(decide(upstream)).rejects.toMatchObject({ code: "ECONNRESET" })
    expect((await chat(upstream)).status).toBe(200)
    expect(upstream.requests[0]).toMatchObject({ body: decisionsRequest })
  })

  it("are refused at a reserved address", async () => {
    const urls = [
      await ScriptedUpstream.reserveRefusingUrl(),
      await ScriptedUpstream.reserveRefusingUrl()
    ]
    expect(urls[0]).not.toBe(urls[1])
    for (const url of [...urls, ...urls]) {
      await expect(post(url, {})).rejects.toMatchObject({ code: "ECONNREFUSED" })
    }
  })
})

describe("truncated answers", () => {
  it("end in order, before their declared length", async () => {
    const upstream = await startUpstream()
    upstream.always(fault.truncated("length", reply.json({ text: "0123456789" })))
    const { ending, text } = await exchangeRaw(upstream)
    expect(ending).toBe("FIN")
    expect(text).toContain("content-length: 21\r\n")
    expect(text.split("\r\n\r\n")[1]).toBe('{"text":"0')
    await expect(decide(upstream)).rejects.toMatchObject({ code: "UND_ERR_SOCKET" })
  })

  it("end in order, without their last chunk", async () => {
    const upstream = await startUpstream()
    upstream.always(fault.truncated("chunked", reply.json({ text: "0123456789" })))
    const { ending, text } = await exchangeRaw(upstream)
    expect(ending).toBe("FIN")
    expect(text).toContain("Transfer-Encoding: chunked\r\n")
    expect(text).not.toContain("content-length")
    expect(text.split("\r\n\r\n")[1]).toBe('a\r\n{"text":"0\r\n')
    await expect(decide(upstream)).rejects.toMatchObject({ code: "UND_ERR_SOCKET" })
  })

  it("are truncated even if they are empty", async () => {
    const upstream = await startUpstream()
    upstream.script(fault.truncated("chunked", fault.empty()))
    await expect(decide(upstream)).rejects.toMatchObject({ code: "UND_ERR_SOCKET" })
  })

  it("truncate a correct answer of both APIs by default", async () => {
    const upstream = await startUpstream()
    upstream.always(fault.truncated())
    for (const [body, path] of [
      [decisionsRequest, "/api/alpha/decisions"],
      [chatRequest(), "/v1/chat/completions"]
    ] as const) {
      const { text } = await exchangeRaw(upstream, { body, path })
      const length = Number(/content-length: (\d+)/.exec(text)![1])
      expect(text.split("\r\n\r\n")[1]).toHaveLength(Math.floor(length / 2))
    }
  })
})

describe("slow and silent answers", () => {
  it("wait before the headers", async () => {
    const upstream = await startUpstream()
    upstream.script(pace.delay(80))
    const before = performance.now()
    expect((await decide(upstream)).status).toBe(200)
    expect(performance.now() - before).toBeGreaterThanOrEqual(79)
  })

  it("wait between headers and body", async () => {
    const upstream = await startUpstream()
    upstream.script(pace.delay(80, "response_headers", reply.json(1)))
    const response = await start(`${upstream.url}/api/alpha/decisions`, decisionsRequest)
    const before = performance.now()
    expect(await response.body.text()).toBe("1")
    // The headers themselves took part of the 80 ms.
    expect(performance.now() - before).toBeGreaterThanOrEqual(40)
  })

  it("wait at a gate for each phase", async () => {
    const upstream = await startUpstream()
    const [headers, body, rest] = [upstream.gate(), upstream.gate(), upstream.gate()]
    const step = pace.hold(
      headers,
      "request_body",
      pace.hold(body, "response_headers", pace.hold(rest, "response_body", reply.json("0123")))
    )
    upstream.script(step)
    let answered = false
    const pending = start(`${upstream.url}/api/alpha/decisions`, decisionsRequest).finally(
      () => (answered = true)
    )
    await upstream.waitForRequests(1)
    // A second exchange on another connection proceeds while the first one waits.
    expect((await decide(upstream)).status).toBe(200)
    expect(answered).toBe(false)
    headers.open()
    const response = await pending
    const chunks: Array<string> = []
    response.body.on("data", (chunk: Buffer) => chunks.push(chunk.toString()))
    const ended = new Promise((resolve) => response.body.once("end", resolve))
    expect((await decide(upstream)).status).toBe(200)
    expect(chunks).toEqual([])
    body.open()
    await expect.poll(() => chunks.join("")).toBe('"01')
    rest.open()
    await ended
    expect(chunks.join("")).toBe('"0123"')
  })

  it("pass an open gate, and can share one", async () => {
    const upstream = await startUpstream()
    const gate = upstream.gate()
    gate.open()
    upstream.always(pace.hold(gate))
    expect((await decide(upstream)).status).toBe(200)
    expect((await decide(upstream)).status).toBe(200)
  })

  it("combine: the outer step applies first", async () => {
    const upstream = await startUpstream()
    const gate = upstream.gate()
    upstream.script(pace.hold(gate, "request_body", fault.drop()))
    const pending = decide(upstream).catch((error: unknown) => error)
    await upstream.waitForRequests(1)
    expect((await decide(upstream)).status).toBe(200)
    gate.open()
    expect(await pending).toMatchObject({ code: "ECONNRESET" })
  })

  it("are never answered, or never after the headers, or after half the body", async () => {
    const upstream = await startUpstream()
    upstream.script(
      fault.silent(),
      fault.silent("response_headers"),
      fault.silent("response_body", reply.json("0123"))
    )
    const url = `${upstream.url}/api/alpha/decisions`
    /** A request that its client aborts shortly after `giveUp`. */
    const begin = () => {
      const leaving = new AbortController()
      const giveUp = () => void setTimeout(() => leaving.abort(), 100)
      return { response: start(url, decisionsRequest, { signal: leaving.signal }), giveUp }
    }
    const aborted = { name: "AbortError" }
    const silent = begin()
    await upstream.waitForRequests(1)
    silent.giveUp()
    await expect(silent.response).rejects.toMatchObject(aborted)
    const empty = begin()
    const headers = await empty.response
    expect(headers.statusCode).toBe(200)
    empty.giveUp()
    await expect(headers.body.text()).rejects.toMatchObject(aborted)
    const half = begin()
    const { body } = await half.response
    let text = ""
    body.on("data", (chunk: Buffer) => (text += chunk.toString())).once("data", half.giveUp)
    await expect(
      new Promise((resolve, reject) => body.on("end", resolve).on("error", reject))
    ).rejects.toMatchObject(aborted)
    expect(text).toBe('"01')
    expect((await upstream.waitForAborts(3)).map(({ at }) => at)).toEqual([1, 2, 3])
  })

  it("stop waiting if the client disconnects in the middle of the body", async () => {
    const upstream = await startUpstream()
    const gate = upstream.gate()
    upstream.script(reply.chat(["one ", gate, "two"]))
    const leaving = new AbortController()
    const response = await start(
      `${upstream.url}/v1/chat/completions`,
      chatRequest({ stream: true }),
      { signal: leaving.signal }
    )
    leaving.abort()
    await expect(response.body.text()).rejects.toThrow("aborted")
    expect((await upstream.waitForAborts(1))[0]!.aborted).toBe(true)
  })
})

describe("TLS", () => {
  it("is rejected by a client that does not trust the certificate", async () => {
    const upstream = await startUpstream({ tls: true })
    expect(upstream.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/)
    await expect(decide(upstream)).rejects.toMatchObject({ code: "DEPTH_ZERO_SELF_SIGNED_CERT" })
    expect(upstream.requests).toEqual([])
    expect(upstream.connections).toBe(1)
  })

  it("works for a client that trusts it, by address and by name", async () => {
    const upstream = await startUpstream({ tls: true })
    const agent = makeAgent({ connect: { ca: upstream.certificate! } })
    expect((await decide(upstream, { agent })).status).toBe(200)
    const byName = upstream.url.replace("127.0.0.1", "localhost")
    const named = await post(`${byName}/v1/chat/completions`, chatRequest(), { agent })
    expect(named.status).toBe(200)
    const parsed = new X509Certificate(upstream.certificate!)
    expect(parsed.checkHost("example.com")).toBeUndefined()
    expect(parsed.verify(parsed.publicKey)).toBe(true)
  })

  it("plays scripts: dropped, silent, and closed during an exchange", async () => {
    const upstream = await startUpstream({ tls: true })
    const agent = makeAgent({ connect: { ca: upstream.certificate! } })
    upstream.script(fault.drop(), fault.drop("response_headers"), fault.silent("response_body"))
    await expect(decide(upstream, { agent })).rejects.toMatchObject({ code: "UND_ERR_SOCKET" })
    const cut = await start(`${upstream.url}/api/alpha/decisions`, decisionsRequest, { agent })
    expect(cut.statusCode).toBe(200)
    await expect(cut.body.text()).rejects.toMatchObject({ code: "UND_ERR_SOCKET" })
    const silent = decide(upstream, { agent }).catch((error: unknown) => error)
    await upstream.waitForRequests(3)
    await upstream.close()
    expect(await silent).toBeInstanceOf(Error)
  })

  it("closes during the handshake of a client", async () => {
    const upstream = await startUpstream({ tls: true })
    const socket = connect(Number(new URL(upstream.url).port), "127.0.0.1")
    const closed = new Promise((resolve) => socket.on("close", resolve))
    socket.on("error", () => {})
    await expect.poll(() => upstream.connections).toBe(1)
    await upstream.close()
    await closed
  })

  it("fails its handshake at a server that speaks plain HTTP", async () => {
    const upstream = await startUpstream()
    const secure = upstream.url.replace("http:", "https:")
    await expect(post(secure, {})).rejects.toMatchObject({
      code: "ERR_SSL_WRONG_VERSION_NUMBER"
    })
  })
})
