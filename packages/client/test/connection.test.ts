import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { describe, expect, it, onTestFinished } from "vitest"
import {
  type ClientError,
  type ClientOptions,
  createClient,
  isResponseError
} from "../src/index.ts"

const apiKey = `sk-very"secret`
const messages = [{ role: "user", content: "Hello" }] as const

const serve = async (
  answer: (response: ServerResponse, request: IncomingMessage, body: string) => void,
  options: Partial<ClientOptions> = {}
) => {
  const requests: Array<{
    readonly line: string
    readonly body: string
    readonly headers: IncomingMessage["headers"]
  }> = []
  const server = createServer((request, response) => {
    let body = ""
    request.on("data", (chunk: Buffer) => (body += chunk.toString()))
    request.on("end", () => {
      requests.push({ line: `${request.method} ${request.url}`, body, headers: request.headers })
      answer(response, request, body)
    })
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const baseUrl = `http://127.0.0.1:${port}/ai`
  return {
    client: createClient({ baseUrl, apiKey, retries: 0, ...options }),
    requests,
    baseUrl,
    server
  }
}

const json = (response: ServerResponse, body: unknown, status = 200, headers = {}) =>
  response
    .writeHead(status, { "content-type": "application/json", ...headers })
    .end(JSON.stringify(body))

const sse = (response: ServerResponse) =>
  response.writeHead(200, {
    "content-type": "text/event-stream",
    "x-generation-id": "gen-1",
    "x-request-id": "req-1"
  })

const refuse = (response: ServerResponse) =>
  json(response, { error: { code: 503, message: "busy" } }, 503)

const chunk = (content: string) => ({ id: "gen-1", choices: [{ index: 0, delta: { content } }] })
const data = (event: unknown) => `data: ${JSON.stringify(event)}\n\n`

/** Resolves to the error, all of whose text it searches for the key. */
const failure = async (run: () => Promise<unknown>): Promise<ClientError> => {
  const error: unknown = await run().then(
    () => expect.unreachable("it should fail"),
    (error: unknown) => error
  )
  if (error instanceof Error) {
    const texts = [
      String(error),
      error.stack ?? "",
      JSON.stringify(error),
      JSON.stringify(error.cause)
    ]
    expect(texts.join("\n")).not.toContain("secret")
  }
  return error as ClientError
}

const collect = async <A>(stream: AsyncIterable<A>): Promise<ReadonlyArray<A>> => {
  const items: Array<A> = []
  for await (const item of stream) items.push(item)
  return items
}

describe("requests", () => {
  it("put fields into path, query and body", async () => {
    const { client, requests } = await serve((response) => void json(response, { data: [] }))
    await client.keys.list({ include_disabled: true, workspace_id: "a b" })
    await client.keys.update({ hash: "a/b", name: "new" }, { idempotencyKey: "once" })
    await client.workspaces.delete({ id: "w", confirm_default_workspace_deletion: true })
    await client.models.list({ output_modalities: "text" }, { headers: { "x-more": "1" } })
    expect(requests.map(({ body, line }) => `${line} ${body}`)).toEqual([
      "GET /ai/api/v1/keys?include_disabled=true&workspace_id=a+b ",
      `PATCH /ai/api/v1/keys/a%2Fb {"name":"new"}`,
      "DELETE /ai/api/v1/workspaces/w?confirm_default_workspace_deletion=true ",
      "GET /ai/api/v1/models?output_modalities=text "
    ])
    expect(requests[0]?.headers.authorization).toBe(`Bearer ${apiKey}`)
    expect(requests[1]?.headers["idempotency-key"]).toBe("once")
    expect(requests[3]?.headers["x-more"]).toBe("1")
  })

  it("keep names that JavaScript reserves", async () => {
    const { client, requests } = await serve((response) => void json(response, {}))
    const questions: Record<string, { type: "noul"; instructions: string }> = JSON.parse(
      `{"__proto__": {"type": "noul", "instructions": "?"}}`
    )
    await client.decide({ model: "m", state: "s", questions })
    await client.chat.complete({ model: "m", messages, extra: JSON.parse(`{"__proto__": 1}`) })
    await collect(
      client.chat.stream({ model: "m", messages, extra: JSON.parse(`{"__proto__": 1}`) })
    )
    expect(requests.map(({ body }) => body.includes(`"__proto__":`))).toEqual([true, true, true])
  })

  it("refuse what no request can carry, before anything is sent", async () => {
    const { client, requests } = await serve((response) => void json(response, {}))
    expect(() => createClient({ baseUrl: "", apiKey: "sk-a\nb: c" })).toThrow(RangeError)
    await expect(client.keys.get({ hash: "" })).rejects.toThrow("hash must be a text")
    await expect(client.keys.get({ hash: ".." })).rejects.toThrow("hash must be a text")
    expect(() => client.chat.complete({ messages, extra: { messages: [] } })).toThrow(TypeError)
    expect(requests).toEqual([])
  })

  it("take the address with or without the path of the API", async () => {
    const { baseUrl, requests } = await serve((response) => void json(response, { data: [] }))
    for (const end of ["", "/", "/api/v1", "/api/v1/"]) {
      await createClient({ baseUrl: baseUrl + end }).credits.get()
    }
    expect(new Set(requests.map(({ line }) => line))).toEqual(new Set(["GET /ai/api/v1/credits"]))
    expect(requests[0]?.headers.authorization).toBeUndefined()
  })
})

describe("errors", () => {
  it.each([
    [
      "OpenRouter's",
      {
        error: {
          code: 429,
          message: "slow",
          metadata: {
            error_type: "rate_limit_exceeded",
            availability: { code: "x", retryable: true }
          }
        }
      },
      {
        code: 429,
        type: "rate_limit_exceeded",
        retryable: true,
        availability: { code: "x", retryable: true }
      }
    ],
    [
      "that of interns",
      {
        error: {
          code: "not_found",
          message: "none",
          metadata: { reason: "unknown", retryable: false, path: ["a"] }
        }
      },
      { code: "not_found", reason: "unknown", retryable: false, path: ["a"] }
    ],
    [
      "that of chats with interns",
      { error: { code: 429, message: "busy", metadata: { reason: "busy", retryable: true } } },
      { code: 429, reason: "busy", retryable: true }
    ],
    [
      "Anthropic's",
      {
        type: "error",
        error: {
          type: "rate_limit_error",
          message: "m",
          error_type: "t",
          details: { error_code: "c" }
        },
        request_id: null,
        metadata: { path: ["x"] }
      },
      { code: "rate_limit_error", type: "t", reason: "c", path: ["x"] }
    ]
  ])("read %s envelope", async (_, body, facts) => {
    const headers = { "x-request-id": "req-1", "x-generation-id": "gen-1", "retry-after": "7" }
    const { client } = await serve((response) => void json(response, body, 429, headers))
    const error = await failure(() => client.keys.get({ hash: "h" }))
    expect(isResponseError(error, 429)).toBe(true)
    expect(isResponseError(error, 404, 500)).toBe(false)
    expect(error).toMatchObject({
      kind: "response",
      name: "ResponseError",
      message: body.error.message,
      status: 429,
      facts,
      operation: "GET /api/v1/keys/:hash",
      requestId: "req-1",
      generationId: "gen-1",
      retryAfterMillis: 7_000
    })
  })

  it("hide a key that the server repeats", async () => {
    const body = { error: { code: 401, message: `No key ${apiKey}`, metadata: { key: apiKey } } }
    const { client } = await serve((response) => void json(response, body, 401))
    const error = await failure(() => client.credits.get())
    expect(error.message).toBe("No key [redacted]")
  })

  it("say that another server answered", async () => {
    const { client } = await serve((response) => void response.end("<html>"))
    expect(await failure(() => client.credits.get())).toMatchObject({
      kind: "invalid",
      status: 200
    })
    const gateway = await serve((response) => void response.writeHead(502).end("<html>"))
    expect(await failure(() => gateway.client.credits.get())).toMatchObject({
      kind: "invalid",
      status: 502
    })
    expect(await failure(() => collect(client.chat.stream({ messages })))).toMatchObject({
      kind: "invalid"
    })
  })

  it("say that there is no connection, without the address and its password", async () => {
    const { baseUrl, client, server } = await serve((response) => void response.destroy())
    expect(
      await failure(() => client.decide({ model: "m", state: "", questions: {} }))
    ).toMatchObject({
      kind: "connection"
    })
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    expect(await failure(() => client.credits.get())).toMatchObject({ code: "ECONNREFUSED" })
    const password = createClient({ baseUrl: baseUrl.replace("//", "//user:secret@") })
    expect(await failure(() => password.credits.get())).toMatchObject({ kind: "connection" })
  })

  it("never say so without a limit", async () => {
    const { client } = await serve((response) => void json(response, { data: {} }))
    expect(await client.credits.get({ timeout: Infinity })).toEqual({ data: {} })
  })

  it("say that time is up, for an answer and between two events", async () => {
    const { client } = await serve(() => undefined, { timeout: 20 })
    expect(await failure(() => client.credits.get())).toMatchObject({
      kind: "timeout",
      timeoutMillis: 20
    })
    const stalled = await serve((response) => void sse(response).write(`data: {"id":"gen-1"}\n\n`))
    const call = () => collect(stalled.client.chat.stream({ messages }, { timeout: 300 }))
    expect(await failure(call)).toMatchObject({ kind: "timeout" })
  })
})

describe("retries", () => {
  it("repeat a refused request, and give up after `retries`", async () => {
    let calls = 0
    const { client, requests } = await serve(
      (response) => void (++calls < 3 ? refuse(response) : json(response, { answers: {} }))
    )
    const request = { model: "m", state: "s", questions: {} }
    expect(await failure(() => client.decide(request, { retries: 1 }))).toMatchObject({
      status: 503
    })
    expect(requests).toHaveLength(2)
    expect(await client.decide(request, { retries: 1 })).toEqual({ answers: {} })
  })

  it("never repeat a request that may have run a model", async () => {
    const { client, requests } = await serve((response) => void response.destroy(), { retries: 3 })
    await failure(() => client.chat.complete({ messages }))
    expect(requests).toHaveLength(1)
    await failure(() =>
      client.videos.submit({ model: "m", prompt: "p" }, { idempotencyKey: "k", retries: 1 })
    )
    expect(requests).toHaveLength(3)
  })
})

describe("lists", () => {
  it("are one page when awaited and all items when iterated", async () => {
    const { client, requests } = await serve((response, { url = "" }) => {
      const offset = Number(new URL(url, "http://x").searchParams.get("offset") ?? 0)
      const data = [0, 1]
        .map((at) => ({ hash: `h${offset + at}` }))
        .filter((_, at) => offset + at < 5)
      json(response, { data, total_count: 5 })
    })
    const list = client.keys.list({ limit: 2 })
    expect(requests).toEqual([])
    expect((await list).total_count).toBe(5)
    expect(requests).toHaveLength(1)
    const hashes = (await collect(client.keys.list({ limit: 2 }))).map(({ hash }) => hash)
    expect(hashes).toEqual(["h0", "h1", "h2", "h3", "h4"])
    expect(requests.slice(1).map(({ line }) => line.split("?")[1])).toEqual([
      "limit=2",
      "limit=2&offset=2",
      "limit=2&offset=4"
    ])
    expect(await collect(client.keys.list({ offset: 3 }).pages())).toHaveLength(1)
  })

  it("follow cursors", async () => {
    const { client, requests } = await serve((response, { url = "" }) => {
      const isFirst = !url.includes("starting_after")
      json(response, {
        data: [{ id: isFirst ? "a" : "b" }],
        has_more: isFirst,
        ...(isFirst ? { next_cursor: "c=" } : {})
      })
    })
    const ids = (await collect(client.audit.list({ limit: 1 }))).map((entry) => entry)
    expect(ids).toEqual([{ id: "a" }, { id: "b" }])
    expect(requests[1]?.line).toContain("limit=1&starting_after=c%3D")
  })

  it("reject like promises", async () => {
    const { client } = await serve(
      (response) => void json(response, { error: { code: 403, message: "no" } }, 403)
    )
    expect(await client.keys.list().catch((error: unknown) => isResponseError(error, 403))).toBe(
      true
    )
    expect(await failure(() => collect(client.keys.list()))).toMatchObject({ status: 403 })
  })
})

describe("streams", () => {
  it("are whole, however they are split", async () => {
    const text = `: keepalive\r\n\r\n${data(chunk("é🙂"))}${data(chunk("b"))}data: [DONE]\n\n`
    const { client, requests } = await serve((response) => {
      sse(response)
      const bytes = Buffer.from(text)
      const write = (at: number): void => {
        if (at === bytes.length) response.end()
        else response.write(bytes.subarray(at, at + 1), () => write(at + 1))
      }
      write(0)
    })
    const chunks = await collect(client.chat.stream({ model: "m", messages }))
    expect(chunks.map(({ choices }) => choices[0]?.delta.content)).toEqual(["é🙂", "b"])
    expect(JSON.parse(requests[0]?.body ?? "")).toEqual({ model: "m", messages, stream: true })
  })

  it.each([
    [
      "a chunk with an error",
      {
        ...chunk(""),
        error: {
          code: 502,
          message: `Provider of ${apiKey}`,
          metadata: { error_type: "provider_error" }
        }
      },
      502
    ],
    [
      "an error event",
      { type: "error", code: "server_error", message: "m", sequence_number: 3 },
      "server_error"
    ],
    [
      "a failed response",
      { type: "response.failed", response: { error: { code: "x", message: "m" } } },
      "x"
    ]
  ])("fail by %s, with what came before", async (_, event, code) => {
    const { client } = await serve(
      (response) => void sse(response).end(data(chunk("a")) + data(event) + "data: [DONE]\n\n")
    )
    const seen: Array<unknown> = []
    const error = await failure(async () => {
      for await (const each of client.responses.stream({ input: "Hello" })) seen.push(each)
    })
    expect(error).toMatchObject({
      kind: "stream",
      facts: { code },
      generationId: "gen-1",
      requestId: "req-1"
    })
    expect(seen).toHaveLength(1)
  })

  it("that lack their end are truncated, and connections that break are errors", async () => {
    const { client } = await serve((response) => void sse(response).end(data(chunk("a"))))
    expect(await failure(() => collect(client.chat.stream({ messages })))).toMatchObject({
      kind: "truncated"
    })
    expect(await failure(() => collect(client.messages.stream({ messages })))).toMatchObject({
      kind: "truncated"
    })
    const broken = await serve((response) =>
      sse(response).write(data(chunk("a")), () => response.destroy())
    )
    const error = await failure(() => collect(broken.client.chat.stream({ messages })))
    expect(["connection", "truncated"]).toContain(error.kind)
  })

  it("of live endpoints have no last event, and end with the response", async () => {
    const { client, requests } = await serve(
      (response) => void sse(response).end(data({ at: "now", endpoints: [] }))
    )
    const reports = await collect(client.live.watchEndpoints({ interval: 1, count: 1 }))
    expect(reports).toEqual([{ at: "now", endpoints: [] }])
    expect(requests[0]?.line).toContain("?interval=1&count=1")
  })

  it("end the request when the loop is left", async () => {
    const closed = Promise.withResolvers<void>()
    const { client } = await serve((response) => {
      response.on("close", () => closed.resolve())
      sse(response).write(data(chunk("a")))
    })
    for await (const each of client.chat.stream({ messages })) {
      expect(each.id).toBe("gen-1")
      break
    }
    await closed.promise
  })
})

describe("signals", () => {
  it("abort before, during and between events, with their reason", async () => {
    const { client, requests } = await serve((response, { url = "" }) => {
      if (url.includes("chat")) sse(response).write(`data: {"id":"gen-1"}\n\n`)
    })
    const reason = new Error("enough")
    await expect(client.credits.get({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    expect(requests).toEqual([])
    const during = new AbortController()
    const waiting = client.credits.get({ signal: during.signal })
    await expect.poll(() => requests.length).toBe(1)
    during.abort(reason)
    await expect(waiting).rejects.toBe(reason)
    const between = new AbortController()
    const reading = (async () => {
      for await (const _ of client.chat.stream({ messages }, { signal: between.signal }))
        between.abort(reason)
    })()
    await expect(reading).rejects.toBe(reason)
  })
})
