import type { ChatCapability, ChatEvent } from "@signalbox/core/upstream"
import { Signalbox, signalbox } from "@signalbox/web"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { describe, expect, it, onTestFinished } from "vitest"

const key = "sk-test-member"

const makeDelta = (text: string): ChatEvent => ({
  type: "delta",
  choices: [{ index: 0, events: [{ type: "text", text }] }]
})

const end: ChatEvent = { type: "end", usage: { inputTokens: 3, outputTokens: 2 } }

/** An instance with one model, whose chats are `stream`. */
const startInstance = async (stream: ChatCapability["stream"]): Promise<Signalbox> => {
  const instance = await Signalbox.make({
    upstreams: [
      {
        slug: "one",
        name: "One",
        chat: {
          estimateWorstCase: () => ({ inputTokens: 10, outputTokens: 10 }),
          complete: () => Effect.never,
          stream
        }
      }
    ],
    models: [
      { id: "test/model", endpoints: [{ provider: "one", price: {}, contextLength: 1_000 }] }
    ],
    keys: [{ key, kind: "member", user: "ada" }],
    settings: { drainTimeoutMillis: 600_000 }
  })
  onTestFinished(() => instance.close())
  return instance
}

const chatUrl = "https://host.example/ai/api/v1/chat/completions"

const makeChatRequest = (init: RequestInit = {}): Request =>
  new Request(chatUrl, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({
      model: "test/model",
      stream: true,
      messages: [{ role: "user", content: "hello" }]
    }),
    ...init
  })

/** A chat of one word, after which nothing follows, and what becomes of it. */
const startEndlessChat = async () => {
  const interrupted = Promise.withResolvers<void>()
  const instance = await startInstance(() =>
    Stream.concat(Stream.make(makeDelta("first")), Stream.never).pipe(
      Stream.onExit(() => Effect.sync(interrupted.resolve))
    )
  )
  return { ai: signalbox(instance, { mount: "/ai" }), instance, interrupted: interrupted.promise }
}

const getReader = ({ body }: Response): ReadableStreamDefaultReader<Uint8Array> => {
  if (body === null) throw new Error("the response has no body")
  return body.getReader()
}

describe("a streamed chat", () => {
  it("sends an event before the next one is produced", async () => {
    const seen = Promise.withResolvers<void>()
    const ai = signalbox(
      await startInstance(() =>
        Stream.concat(
          Stream.make(makeDelta("first")),
          Stream.fromEffect(Effect.promise(() => seen.promise)).pipe(
            Stream.flatMap(() => Stream.make(makeDelta("second"), end))
          )
        )
      ),
      { mount: "/ai" }
    )
    const reader = getReader(await ai(makeChatRequest()))
    const decoder = new TextDecoder()
    let text = ""
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      text += decoder.decode(read.value, { stream: true })
      if (text.includes("first")) seen.resolve()
    }
    expect(text).toContain("second")
    expect(text.endsWith("data: [DONE]\n\n")).toBe(true)
  })

  it("waits for a slow reader", async () => {
    let pulled = 0
    const ai = signalbox(
      await startInstance(() =>
        Stream.range(1, 100_000, 1).pipe(
          Stream.map(() => {
            pulled++
            return makeDelta("x".repeat(1_000))
          })
        )
      ),
      { mount: "/ai" }
    )
    const response = await ai(makeChatRequest())
    const reader = getReader(response)
    await reader.read()
    // What is buffered on the way is bounded, so without a further read the provider comes to a halt.
    let before: number
    do {
      before = pulled
      await new Promise((resolve) => setImmediate(resolve))
    } while (pulled > before)
    expect(pulled).toBeLessThan(2_000)
    await reader.cancel()
  })

  it("ends at the provider if the signal of the request is aborted", async () => {
    const { ai, instance, interrupted } = await startEndlessChat()
    const client = new AbortController()
    const reader = getReader(await ai(makeChatRequest({ signal: client.signal })))
    await reader.read()
    client.abort()
    await expect(interrupted).resolves.toBeUndefined()
    // `close` waits for running requests.
    await instance.close()
  })

  it("ends at the provider if the signal is aborted before the body is read", async () => {
    const { ai, instance, interrupted } = await startEndlessChat()
    const client = new AbortController()
    await ai(makeChatRequest({ signal: client.signal }))
    client.abort()
    await expect(interrupted).resolves.toBeUndefined()
    await instance.close()
  })

  it("ends at the provider if the body is cancelled", async () => {
    const { ai, instance, interrupted } = await startEndlessChat()
    const reader = getReader(await ai(makeChatRequest()))
    await reader.read()
    await reader.cancel()
    await expect(interrupted).resolves.toBeUndefined()
    await instance.close()
  })
})

describe("a streamed request body", () => {
  it("is read up to its limit, and no further", async () => {
    const ai = signalbox(await startInstance(() => Stream.never), { mount: "/ai" })
    let produced = 0
    const isCancelled = Promise.withResolvers<void>()
    const body = new ReadableStream<Uint8Array>(
      {
        pull: (controller) => {
          produced += 65_536
          controller.enqueue(new Uint8Array(65_536).fill(32))
        },
        cancel: () => isCancelled.resolve()
      },
      { highWaterMark: 0 }
    )
    const response = await ai(
      makeChatRequest({
        body,
        duplex: "half"
      })
    )
    expect(response.status).toBe(413)
    await response.text()
    await isCancelled.promise
    expect(produced).toBeLessThan(18 * 1_048_576)
  })
})

describe("match", () => {
  it("accepts what the instance serves below the mount, and nothing else", async () => {
    const instance = await startInstance(() => Stream.never)
    const matches = (mount: string, method: string, path: string) =>
      signalbox(instance, { mount }).match(new Request(`https://host.example${path}`, { method }))
    for (const mount of ["/ai", "ai/", "/ai/"]) {
      expect(matches(mount, "POST", "/ai/api/v1/chat/completions?x=1")).toBe(true)
      expect(matches(mount, "GET", "/ai/api/v1/nothing")).toBe(true)
      expect(matches(mount, "OPTIONS", "/ai/api/v1/chat/completions")).toBe(false)
      expect(matches(mount, "GET", "/ai/own")).toBe(false)
      expect(matches(mount, "GET", "/aix/api/v1/models")).toBe(false)
      expect(matches(mount, "GET", "/api/v1/models")).toBe(false)
    }
    // A catch-all route below /api, such as `[...path]` of Next.js, is at the root.
    expect(matches("", "GET", "/api/v1/models")).toBe(true)
  })

  it("leaves the request unread", async () => {
    const ai = signalbox(await startInstance(() => Stream.never), { mount: "/ai" })
    const request = makeChatRequest()
    expect([ai.match(request), request.bodyUsed]).toEqual([true, false])
  })
})

it("answers other paths with a 404 envelope, for hosts without other routes", async () => {
  const ai = signalbox(await startInstance(() => Stream.never), { mount: "/ai" })
  const response = await ai(new Request("https://host.example/elsewhere"))
  expect(response.status).toBe(404)
  expect(await response.json()).toEqual({ error: { code: 404, message: "Not Found" } })
})

it("says what to do if it gets no instance", async () => {
  const promised = startInstance(() => Stream.never)
  // A cast, because the types forbid it.
  expect(() => signalbox(promised as unknown as Signalbox)).toThrow(/forget `await Signalbox.make/)
  expect(() => signalbox({ context: 1 } as unknown as Signalbox)).toThrow(RangeError)
  await promised
})

describe("a handler in a host that has changed the request", () => {
  it("says that the body of a Request was used before", async () => {
    const ai = signalbox(await startInstance(() => Stream.never), { mount: "/ai" })
    const request = makeChatRequest()
    await request.json()
    const response = await ai(request)
    expect(response.status).toBe(400)
    expect(Object(await response.json()).error.message).toContain("pass the Request on before")
  })

  it("says that a router has taken the mount off", async () => {
    const ai = signalbox(await startInstance(() => Stream.never), { mount: "/ai" })
    const response = await ai(new Request("https://host.example/api/v1/models"))
    expect(response.status).toBe(404)
    expect(Object(await response.json()).error.message).toContain(
      "does not begin with the mount /ai"
    )
  })

  it("says that the mount is missing", async () => {
    const ai = signalbox(await startInstance(() => Stream.never))
    const response = await ai(new Request("https://host.example/ai/api/v1/models"))
    expect(response.status).toBe(404)
    expect(Object(await response.json()).error.message).toContain('{ mount: "/ai" }')
  })
})
