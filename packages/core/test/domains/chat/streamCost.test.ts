/** What Effect does for a stream does not grow with its events. */
import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import { hostCaller } from "../../../src/tenants/auth/Caller.ts"
import { Chats } from "../../../src/domains/chat/Chats.ts"
import { makeChatEventWriter } from "../../../src/api/chat/chatHandlers.ts"
import { writeAnswer } from "../../../src/api/operation/JsonAnswer.ts"
import type { ChatCapability } from "../../../src/engine/upstreams/ChatCapability.ts"
import { makeChatCompletions } from "../../../src/dialects/chat/makeChatCompletions.ts"
import { setClientTransport } from "../../../src/engine/upstreams/transport/makeHttpClientTransport.ts"
import type { UpstreamTransport } from "../../../src/engine/upstreams/transport/UpstreamTransport.ts"
import { fromStream } from "../../../src/values/push/PushStream.ts"
import { fakeChatUpstream, makeChatWorld, parseChat } from "./chatFixtures.ts"

const parsed = parseChat({
  model: "a/b",
  messages: [{ role: "user", content: "Is it calm at sea tonight?" }],
  stream: true
})
const encoder = new TextEncoder()
const toBytes = (data: string): Uint8Array => encoder.encode(`data: ${data}\n\n`)

/** Sends this many events, each in a turn of the event loop of its own. */
const makeTransport = (count: number): UpstreamTransport => ({
  send: (_, listener) => {
    let left = count
    const next = (): void => {
      if (left-- > 0) {
        const choice = { index: 0, delta: { content: "word " }, finish_reason: null }
        listener.onData(toBytes(JSON.stringify({ choices: [choice] })))
        setImmediate(next)
      } else {
        listener.onData(toBytes("[DONE]"))
        listener.onEnd()
      }
    }
    setImmediate(() => {
      listener.onResponse(
        200,
        { "content-type": "text/event-stream" },
        { pause: () => assert.fail("the reader is fast"), resume: () => {} }
      )
      next()
    })
    return () => {}
  }
})

/** The work that all fibers do during `run`. */
const countWork = async (run: () => Promise<unknown>) => {
  const counts = { fibers: 0, runLoops: 0, contexts: 0 }
  const seen = new WeakSet<object>()
  const fiber = Effect.runFork(Effect.void)
  const prototype: object = Object.getPrototypeOf(fiber)
  const spy = (name: string, count: (self: object) => void): (() => void) => {
    const original: unknown = Reflect.get(prototype, name)
    if (typeof original !== "function") assert.fail(`fibers have no ${name}`)
    Reflect.set(prototype, name, function (this: object, ...args: ReadonlyArray<unknown>): unknown {
      count(this)
      return Reflect.apply(original, this, args)
    })
    return () => Reflect.set(prototype, name, original)
  }
  const restore = [
    spy("evaluate", (self) => {
      if (!seen.has(self)) counts.fibers++
      seen.add(self)
    }),
    spy("runLoop", () => counts.runLoops++),
    spy("setContext", () => counts.contexts++)
  ]
  try {
    await run()
  } finally {
    for (const each of restore) each()
  }
  return counts
}

describe("a pushed stream", () => {
  it.live("takes as many fibers, contexts and run loops for 10 events as for 1,000", () => {
    let count = 0
    const upstream = fakeChatUpstream("one", {})
    const chat = makeChatCompletions({
      url: "http://one.test/chat",
      apiKey: undefined,
      maxImageTokens: 100,
      maxOutputTokens: 100
    })
    const stream: ChatCapability["stream"] = (call) => ({
      run: (push) => {
        const client = HttpClient.make(() => Effect.die("no network"))
        setClientTransport(client, makeTransport(count))
        return Effect.provideService(
          fromStream(chat.stream(call)).run(push),
          HttpClient.HttpClient,
          client
        )
      }
    })
    return Effect.gen(function* () {
      const run = Effect.runPromiseWith(yield* Effect.context<Chats>())
      const read = Effect.gen(function* () {
        const clock = yield* Clock.Clock
        const answer = yield* (yield* Chats).stream(hostCaller, parsed)
        const drain = { onTimeout: () => () => {} }
        let text = ""
        yield* writeAnswer(answer.pieces, makeChatEventWriter(answer), {
          clock,
          drain,
          keepaliveMillis: 60_000
        }).run((texts) => {
          text += texts.join("")
          return Effect.void
        })
        assert.strictEqual(text.match(/^data: \{/gm)?.length, count + 1)
      })
      const results = []
      for (count of [10, 10, 1_000]) {
        results.push(yield* Effect.promise(() => countWork(() => run(Effect.scoped(read)))))
      }
      assert.isAbove(results[1]?.runLoops ?? 0, 0)
      assert.deepStrictEqual(results[2], results[1])
    }).pipe(
      Effect.provide(
        makeChatWorld({ upstreams: [{ ...upstream, chat: { ...upstream.chat!, stream } }] })
      )
    )
  })
})
