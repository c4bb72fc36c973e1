import type { ChatChunk } from "@signalbox/core/contract"
import { SignalboxError } from "@signalbox/core"
import { UpstreamFailure } from "@signalbox/core/upstream"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { describe, expect, it } from "vitest"
import { chatRequest, end, key, makeDelta, startChatInstance } from "./startChatInstance.ts"

const streamRequest = chatRequest({ stream: true })

/** Emits the test's events on demand, and counts the calls that have ended. */
const makeControlledStream = () => {
  const moments = Array.from({ length: 3 }, () => Promise.withResolvers<void>())
  const closed = Promise.withResolvers<string>()
  let isClosed = false
  const at = (index: number) =>
    Stream.drain(Stream.fromEffect(Effect.promise(() => moments[index]!.promise)))
  return {
    go: (index: number) => {
      moments[index]!.resolve()
    },
    closed: closed.promise,
    isClosed: () => isClosed,
    stream: () =>
      Stream.make(makeDelta("one ")).pipe(
        Stream.concat(at(0)),
        Stream.concat(Stream.make(makeDelta("two"))),
        Stream.concat(at(1)),
        Stream.concat(Stream.make(makeDelta("", "stop"), end)),
        Stream.ensuring(
          Effect.sync(() => {
            isClosed = true
            closed.resolve("closed")
          })
        )
      )
  }
}

/** The texts as they arrive. */
const makeReader = (response: Response) => {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  return { next: async () => (await reader.read()).value, cancel: () => reader.cancel() }
}

const fullText = () => Stream.make(makeDelta("one "), makeDelta("two", "stop"), end)

const parseChunks = (text: string): ReadonlyArray<Record<string, unknown>> =>
  text
    .split("\n\n")
    .filter((event) => event.startsWith("data: {"))
    .map((event): Record<string, unknown> => JSON.parse(event.slice(6)))

describe("POST /chat/completions", () => {
  it("answers without streaming", async () => {
    const { ask } = await startChatInstance(fullText)
    const response = await ask(chatRequest(), {
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        "x-signalbox-metadata": "enabled"
      }
    })
    expect(response.status).toBe(200)
    const body: Record<string, unknown> = JSON.parse(await response.text())
    expect(body).toMatchObject({
      object: "chat.completion",
      model: "test/model",
      provider: "One",
      choices: [{ message: { role: "assistant", content: "hello back" }, finish_reason: "stop" }],
      usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5, cost: 0.007 },
      service_metadata: { requested: "test/model", attempt: 1 }
    })
    expect(response.headers.get("x-generation-id")).toBe(body["id"])
  })

  it("streams an answer without changing it", async () => {
    const { ask } = await startChatInstance(fullText)
    const response = await ask(streamRequest)
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "text/event-stream",
      "cache-control": "no-cache, no-transform",
      "x-accel-buffering": "no"
    })
    const id = response.headers.get("x-generation-id")
    const text = await response.text()
    const created = String(parseChunks(text)[0]?.["created"])
    const head = `"id":"${id}","object":"chat.completion.chunk","created":${created},"model":"test/model","provider":"One"`
    expect(text).toBe(
      `data: {${head},"choices":[{"index":0,"delta":{"role":"assistant","content":"one "},"finish_reason":null,"native_finish_reason":null}]}\n\n` +
        `data: {${head},"choices":[{"index":0,"delta":{"content":"two"},"finish_reason":"stop","native_finish_reason":"stop"}]}\n\n` +
        `data: {${head},"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5,"cost":0.007,"is_byok":false}}\n\n` +
        "data: [DONE]\n\n"
    )
  })

  it("has a generation record", async () => {
    const { ask, port } = await startChatInstance(fullText)
    const response = await ask(streamRequest)
    await response.text()
    const id = response.headers.get("x-generation-id")
    const record = await fetch(`http://127.0.0.1:${port}/api/v1/generation?id=${id}`, {
      headers: { authorization: `Bearer ${key}` }
    })
    expect(JSON.parse(await record.text())).toMatchObject({
      data: {
        id,
        api_type: "completions",
        streamed: true,
        finish_reason: "stop",
        tokens_completion: 2,
        total_cost: 0.007
      }
    })
  })

  it("sends routing metadata in the last chunk if requested", async () => {
    const { ask } = await startChatInstance(fullText)
    const response = await ask(streamRequest, {
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        "x-openrouter-metadata": "enabled"
      }
    })
    const metadata = parseChunks(await response.text()).map((chunk) => chunk["openrouter_metadata"])
    expect(metadata).toEqual([undefined, undefined, expect.objectContaining({ attempt: 1 })])
  })

  it("passes on each chunk at once, and sends keepalive comments", async () => {
    const { go, stream } = makeControlledStream()
    const { ask } = await startChatInstance(stream, { keepaliveMillis: 20 })
    const answer = makeReader(await ask(streamRequest))
    expect(await answer.next()).toContain('"content":"one "')
    expect(await answer.next()).toMatch(/^(: keepalive\n\n)+$/)
    go(0)
    let text = ""
    while (!text.includes("two")) text += await answer.next()
    expect(text.replaceAll(": keepalive\n\n", "")).toMatch(/^data: .*two.*\n\n$/)
    go(1)
    while (!text.includes("[DONE]")) text += await answer.next()
    expect(text.endsWith("data: [DONE]\n\n")).toBe(true)
    expect(await answer.next()).toBeUndefined()
  })

  it("ends a broken stream with an error chunk and without [DONE]", async () => {
    const broken = new UpstreamFailure({ kind: "overloaded", status: 503, detail: "too much" })
    const { ask } = await startChatInstance(() =>
      Stream.concat(
        Stream.make(makeDelta("one ")),
        Stream.concat(Stream.drain(Stream.fromEffect(Effect.sleep(5))), Stream.fail(broken))
      )
    )
    const text = await (await ask(streamRequest)).text()
    expect(text).not.toContain("[DONE]")
    expect(parseChunks(text)).toMatchObject([
      { choices: [{ delta: { content: "one " } }] },
      {
        object: "chat.completion.chunk",
        error: {
          code: 529,
          message: "Provider returned error: One: overloaded (503): too much",
          metadata: { error_type: "provider_overloaded", provider_name: "One" }
        },
        choices: [{ index: 0, delta: { content: "" }, finish_reason: "error" }]
      }
    ])
  })

  it("answers a defect of an upstream without details", async () => {
    const { ask } = await startChatInstance(() =>
      Stream.concat(
        Stream.make(makeDelta("one ")),
        Stream.fromEffect(Effect.delay(Effect.die(new Error("the secret plan")), 5))
      )
    )
    const text = await (await ask(streamRequest)).text()
    expect(text).not.toContain("secret")
    expect(parseChunks(text).at(-1)).toMatchObject({
      error: { code: 502, message: expect.stringContaining("the provider's code has a defect") }
    })
  })

  it("answers a failure before the first chunk with its status", async () => {
    const { ask } = await startChatInstance(() =>
      Stream.fail(new UpstreamFailure({ kind: "rate_limited", status: 429 }))
    )
    const response = await ask(streamRequest)
    expect(response.status).toBe(429)
    expect(response.headers.get("content-type")).toContain("application/json")
    expect(JSON.parse(await response.text())).toMatchObject({ error: { code: 429 } })
  })

  it.each([
    ["no JSON", "{", 400],
    ["no messages", chatRequest({ messages: [] }), 400],
    ["an unknown model", chatRequest({ model: "no/such" }), 400],
    ["no allowed provider", chatRequest({ provider: { only: ["nobody"] } }), 404],
    ["too much", chatRequest({ user: "u".repeat(17_000_000) }), 413]
  ])("rejects %s", async (_, body, status) => {
    const { ask } = await startChatInstance(fullText)
    const response = await ask(body)
    expect(response.status).toBe(status)
    expect(JSON.parse(await response.text())).toMatchObject({ error: { code: status } })
  })

  it("rejects a body that is not JSON, and a request without a key", async () => {
    const { ask } = await startChatInstance(fullText)
    const plain = await ask(streamRequest, { headers: { authorization: `Bearer ${key}` } })
    expect(plain.status).toBe(400)
    const unauthenticated = await ask(streamRequest, {
      headers: { "content-type": "application/json" }
    })
    expect(unauthenticated.status).toBe(401)
  })

  it("interrupts the provider call if the client disconnects", async () => {
    const { closed, isClosed, stream } = makeControlledStream()
    const { ask, instance } = await startChatInstance(stream)
    const leaving = new AbortController()
    const answer = makeReader(await ask(streamRequest, { signal: leaving.signal }))
    await answer.next()
    expect(isClosed()).toBe(false)
    leaving.abort()
    expect(await closed).toBe("closed")
    await expect.poll(async () => (await instance.health()).running).toBe(0)
  })

  it("interrupts the provider call in the web-standard handler too", async () => {
    const { closed, stream } = makeControlledStream()
    const { instance } = await startChatInstance(stream)
    const answer = makeReader(
      await instance.fetch(
        new Request("http://any.example/api/v1/chat/completions", {
          method: "POST",
          body: streamRequest,
          headers: { authorization: `Bearer ${key}`, "content-type": "application/json" }
        })
      )
    )
    expect(await answer.next()).toContain("one ")
    await answer.cancel()
    expect(await closed).toBe("closed")
    await expect.poll(async () => (await instance.health()).running).toBe(0)
  })

  it("ends with an error chunk if the instance closes and its drain times out", async () => {
    const { closed, stream } = makeControlledStream()
    const { ask, instance } = await startChatInstance(stream, { drainTimeoutMillis: 20 })
    const answer = await ask(streamRequest)
    await instance.close()
    expect(await closed).toBe("closed")
    const text = await answer.text()
    expect(text).not.toContain("[DONE]")
    expect(parseChunks(text)).toMatchObject([
      { choices: [{ delta: { content: "one " } }] },
      { error: { code: 503 }, choices: [{ delta: { content: "" }, finish_reason: "error" }] }
    ])
  })

  it("is cut off if the instance closes and the client does not read the error chunk", async () => {
    const text = "x".repeat(100_000)
    let pulled = 0
    const { ask, instance } = await startChatInstance(
      () =>
        Stream.forever(Stream.make(text)).pipe(
          Stream.map((piece) => {
            pulled++
            return makeDelta(piece)
          })
        ),
      { drainTimeoutMillis: 20 }
    )
    const answer = await ask(streamRequest)
    await waitUntilUnchanged(() => pulled)
    await instance.close()
    await expect(answer.text()).rejects.toThrow("terminated")
  })

  it("slows the provider down while the client does not read", async () => {
    let pulled = 0
    const text = "x".repeat(100_000)
    const { ask } = await startChatInstance(() =>
      Stream.concat(
        Stream.tap(Stream.range(1, 1_000, 1), () => Effect.sync(() => void pulled++)).pipe(
          Stream.map(() => makeDelta(text))
        ),
        Stream.make(end)
      )
    )
    const response = await ask(streamRequest)
    await waitUntilUnchanged(() => pulled)
    expect(pulled).toBeLessThan(500)
    expect(parseChunks(await response.text())).toHaveLength(1_001)
  })
})

describe("in process", () => {
  const request = { model: "test/model", messages: [{ role: "user", content: "hello" }] } as const

  it("answers without streaming", async () => {
    const { instance } = await startChatInstance(fullText)
    const { choices, usage } = await instance.chat(request)
    expect(choices[0]?.message["content"]).toBe("hello back")
    expect(usage.cost).toBe(0.007)
  })

  it("streams an answer", async () => {
    const { instance } = await startChatInstance(fullText)
    const chunks: Array<ChatChunk> = []
    for await (const chunk of instance.streamChat(request)) chunks.push(chunk)
    expect(chunks.map(({ choices }) => choices[0]?.delta["content"])).toEqual([
      "one ",
      "two",
      undefined
    ])
    expect(chunks.at(-1)?.usage?.total_tokens).toBe(5)
    expect((await instance.health()).running).toBe(0)
  })

  it("interrupts the provider call if the loop breaks", async () => {
    const { closed, stream } = makeControlledStream()
    const { instance } = await startChatInstance(stream)
    for await (const { choices } of instance.streamChat(request)) {
      expect(choices[0]?.delta["content"]).toBe("one ")
      break
    }
    expect(await closed).toBe("closed")
    expect((await instance.health()).running).toBe(0)
  })

  it("interrupts the provider call if the signal aborts, with its reason", async () => {
    const { closed, stream } = makeControlledStream()
    const { instance } = await startChatInstance(stream)
    const leaving = new AbortController()
    const chunks = instance.streamChat(request, { signal: leaving.signal })[Symbol.asyncIterator]()
    await chunks.next()
    const next = chunks.next()
    const reason = new Error("enough")
    leaving.abort(reason)
    await expect(next).rejects.toBe(reason)
    expect(await closed).toBe("closed")
  })

  it("throws a failure before the first chunk and after it", async () => {
    const broken = new UpstreamFailure({ kind: "unreachable" })
    const { instance } = await startChatInstance(() =>
      Stream.concat(Stream.make(makeDelta("one ")), Stream.fail(broken))
    )
    const texts: Array<unknown> = []
    const reading = async () => {
      for await (const { choices } of instance.streamChat(request))
        texts.push(choices[0]?.delta["content"])
    }
    await expect(reading()).rejects.toMatchObject({ name: "SignalboxError", status: 502 })
    const unknown = instance.streamChat({ ...request, model: "no/such" })[Symbol.asyncIterator]()
    await expect(unknown.next()).rejects.toBeInstanceOf(SignalboxError)
    await expect(instance.chat({ ...request, model: "no/such" })).rejects.toMatchObject({
      status: 400
    })
    expect((await instance.health()).running).toBe(0)
  })
})

/** Until the connection is full and nothing more is read from the provider. */
const waitUntilUnchanged = async (count: () => number): Promise<void> => {
  let seen = -1
  await expect
    .poll(
      () => {
        const isUnchanged = count() === seen
        seen = count()
        return isUnchanged
      },
      { interval: 300, timeout: 240_000 }
    )
    .toBe(true)
}
