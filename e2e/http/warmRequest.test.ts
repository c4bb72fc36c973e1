/** A request that is warm waits for its body and its provider by callbacks: no fiber, no run loop, and few timers. */
import { AsyncLocalStorage } from "node:async_hooks"
import { anthropic } from "@signalbox/anthropic"
import type { Options } from "@signalbox/core"
import type { Upstream } from "@signalbox/core/upstream"
import { Signalbox, signalbox } from "@signalbox/node"
import { openai } from "@signalbox/openai"
import { openrouter } from "@signalbox/openrouter"
import * as Effect from "effect/Effect"
import { expect, it, onTestFinished } from "vitest"
import { decisionRequest } from "../../bench/decisionRequest.ts"
import { chatAnswer, decisionAnswer } from "../../bench/load/answers.ts"
import { dialectAnswers } from "../../bench/load/dialectAnswers.ts"
import { answer, listen } from "../support/listen.ts"
import { countFiberWork } from "../../packages/node/test/countFiberWork.ts"

const key = "sk-test-member"

const ask = (origin: string, path: string, body: object, extra: Extra): Promise<Response> =>
  fetch(`${origin}${path}`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      ...(extra === "a cache that it refuses" ? { "x-openrouter-cache": "false" } : undefined)
    },
    body: JSON.stringify(body)
  })

const contentFilters = {
  content_filter_builtins: [
    { slug: "email", action: "redact", scope: "both" },
    { slug: "secrets", action: "block" }
  ],
  content_filters: [{ pattern: "EMP-\\d{5}", action: "redact", label: null }]
} as const

/** `of others`: the filters, and a check, are there, but no guardrail of the caller has them. */
const extras = [
  "nothing",
  "content filters of others",
  "content filters of the caller",
  "a cache that it does not ask for",
  "a cache that it refuses"
] as const
type Extra = (typeof extras)[number]

const caches: { readonly [E in Extra]?: Options["responseCache"] } = {
  "a cache that it does not ask for": { ttlSeconds: 60, scope: "key" },
  "a cache that it refuses": { enabled: true }
}

const makeInstance = async (upstreams: ReadonlyArray<Upstream>, extra: Extra = "nothing") => {
  const isFiltered = extra.startsWith("content filters")
  const responseCache = caches[extra]
  const instance = await Signalbox.make({
    upstreams,
    ...(isFiltered ? { contentChecks: { names: { find: () => [] } } } : undefined),
    ...(responseCache === undefined ? undefined : { responseCache }),
    models: [
      {
        id: "a/b",

        endpoints: upstreams.map(({ slug }) => ({ provider: slug, price: {} }))
      }
    ],
    keys: [{ key, kind: "member", user: "ada" }]
  })
  onTestFinished(() => instance.close())
  if (isFiltered) {
    const { data } = await instance.guardrails.create({ name: "filters", ...contentFilters })
    await instance.guardrails.assignMembers({
      id: data.id,
      member_user_ids: [extra === "content filters of others" ? "bea" : "ada"]
    })
  }
  return instance
}

const messages = [{ role: "user", content: "Is the lamp lit?" }] as const
const cases = [
  {
    name: "a chat",
    answer: chatAnswer,
    make: (baseUrl: string) => openai({ apiKey: "sk-upstream-key", baseUrl }),
    path: "/api/v1/chat/completions",
    body: { model: "a/b", messages }
  },
  {
    name: "a message at a provider with the same API",
    answer: dialectAnswers.messages.whole,
    make: (baseUrl: string) => anthropic({ apiKey: "sk-upstream-key", baseUrl }),
    path: "/api/v1/messages",
    body: { model: "a/b", max_tokens: 64, messages }
  },
  {
    name: "a Decision",
    answer: decisionAnswer,
    make: (baseUrl: string) => openrouter({ apiKey: "sk-upstream-key", baseUrl }),
    path: "/api/alpha/decisions",
    body: { ...decisionRequest, model: "a/b" }
  }
]

it.each(cases.flatMap((each) => extras.map((extra) => ({ ...each, extra }))))(
  "$name needs no fiber, beside $extra",
  async ({ extra, ...each }) => {
    const { answer: text, body, make, path } = each
    const upstream = make(await listen(answer(200, text)))
    const origin = await listen(signalbox(await makeInstance([upstream], extra)))
    const request = async () => {
      const response = await ask(origin, path, body, extra)
      expect([response.status, await response.text()]).toEqual([200, expect.any(String)])
    }
    await request()
    expect(await countFiberWork(request)).toEqual({ fibers: 0, runLoops: 0, contexts: 0 })
  }
)

it.each(extras)(
  "a chat starts one timer, for the records of a moment: its deadlines are links of lists, beside %s",
  async (extra) => {
    const upstream = openai({
      apiKey: "sk-upstream-key",
      baseUrl: await listen(answer(200, chatAnswer))
    })
    const instance = await makeInstance([upstream], extra)
    const origin = await listen(signalbox(instance))
    const request = async () => {
      const response = await ask(
        origin,
        "/api/v1/chat/completions",
        { model: "a/b", messages },
        extra
      )
      await response.text()
    }
    await request()
    // Flushes the records, which else are still waiting when the next request ends.
    await instance.metrics()
    let started = 0
    const { setTimeout } = globalThis
    const count = ((...given: Parameters<typeof setTimeout>) => {
      // Undici and the client start timers, too.
      if (/\/packages\/(core|node)\/src\//.test(new Error().stack?.split("\n")[2] ?? "")) started++
      return setTimeout(...given)
    }) as typeof setTimeout
    globalThis.setTimeout = Object.assign(count, setTimeout)
    try {
      await request()
    } finally {
      globalThis.setTimeout = setTimeout
    }
    expect(started).toBe(1)
  }
)

it("a fallback runs in the asynchronous context of its request, not of the connection", async () => {
  const storage = new AsyncLocalStorage<string>()
  const seen: Array<string | undefined> = []
  const failing = openai({
    apiKey: "sk-upstream-key",
    baseUrl: await listen(answer(503, "{}"))
  })
  const own: Upstream = {
    slug: "own",
    name: "Own",
    chat: {
      estimateWorstCase: () => ({ inputTokens: 1, outputTokens: 1 }),
      stream: () => {
        throw new Error("it is not called")
      },
      complete: () => {
        seen.push(storage.getStore())
        return Effect.succeed({
          choices: [
            {
              index: 0,
              answer: { parts: [{ type: "text", text: "yes" }], end: { reason: "stop" } }
            }
          ],
          usage: { inputTokens: 1, outputTokens: 1 }
        })
      }
    }
  }
  const instance = await makeInstance([failing, own])
  const serve = signalbox(instance)
  const origin = await listen((request, response) => {
    storage.run(String(request.headers["x-user"]), () => serve(request, response))
  })
  const body = { model: "a/b", messages: [...messages], provider: { order: ["openai", "own"] } }
  const answered = await Promise.all(
    ["ada", "bea", "cleo"].map(async (user) => {
      const response = await fetch(`${origin}/api/v1/chat/completions`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${key}`,
          "content-type": "application/json",
          "x-user": user
        },
        body: JSON.stringify(body)
      })
      return response.status
    })
  )
  expect(answered).toEqual([200, 200, 200])
  await storage.run("in process", () => instance.chat(body))
  expect(new Set(seen)).toEqual(new Set(["ada", "bea", "cleo", "in process"]))
})

const askAs = (origin: string, user: string): Promise<Response> =>
  fetch(`${origin}/api/v1/chat/completions`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      "x-user": user
    },
    body: JSON.stringify({ model: "a/b", messages })
  })

it("a response is written in the asynchronous context of its request, where a host's own `end` looks", async () => {
  const storage = new AsyncLocalStorage<string>()
  const seen: Array<readonly [user: string | undefined, sent: string]> = []
  const upstream = openai({
    apiKey: "sk-upstream-key",
    baseUrl: await listen(answer(200, chatAnswer))
  })
  const serve = signalbox(await makeInstance([upstream]))
  const origin = await listen((request, response) => {
    const user = String(request.headers["x-user"])
    const end = response.end.bind(response) as (chunk?: unknown) => typeof response
    response.end = (chunk?: unknown) => {
      seen.push([storage.getStore(), user])
      return end(chunk)
    }
    storage.run(user, () => serve(request, response))
  })
  const users = ["ada", "bea", "cleo"]
  const answered = await Promise.all(users.map((user) => askAs(origin, user)))
  expect(answered.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(new Map(seen)).toEqual(new Map(users.map((user) => [user, user])))
})

it("a host's `end` that throws costs one connection, and not the process", async () => {
  const upstream = openai({
    apiKey: "sk-upstream-key",
    baseUrl: await listen(answer(200, chatAnswer))
  })
  const serve = signalbox(await makeInstance([upstream]))
  const origin = await listen((request, response) => {
    if (request.headers["x-user"] === "broken") {
      response.end = () => {
        throw new Error("a defect of the host")
      }
    }
    serve(request, response)
  })
  await expect(askAs(origin, "broken")).rejects.toThrow("fetch failed")
  expect((await askAs(origin, "ada")).status).toBe(200)
})
