/** The limits that dry runs show, and what they say would happen to the request. */
import type { CallerConfig, Options } from "@signalbox/core"
import type { Upstream } from "@signalbox/core/upstream"
import { Signalbox } from "@signalbox/node"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { expect, onTestFinished, test } from "vitest"
import { waitUntil } from "../support/waitUntil.ts"

const usage = { inputTokens: 1_000, outputTokens: 1_000 }
const request = {
  model: "a/b",
  messages: [{ role: "user", content: "Is it calm at sea?" }]
} as const

/** An endpoint that runs one request at a time; each is answered when `finish` is called. */
const start = async (
  options: Partial<Options> = {},
  limits: { readonly maxParallelRequests?: number } = { maxParallelRequests: 1 }
) => {
  const calls: Array<() => void> = []
  const upstream: Upstream = {
    slug: "one",
    name: "One",
    chat: {
      complete: () =>
        Effect.callback((resume) => {
          const answer = {
            parts: [{ type: "text", text: "Yes." }],
            end: { reason: "stop" }
          } as const
          calls.push(() => resume(Effect.succeed({ choices: [{ index: 0, answer }], usage })))
        }),
      stream: () => Stream.empty,
      estimateWorstCase: () => usage
    }
  }
  const instance = await Signalbox.make({
    upstreams: [upstream],
    models: [
      {
        id: "a/b",
        endpoints: [
          {
            provider: "one",
            price: { prompt: "0.001", completion: "0.001" },
            ...limits
          }
        ]
      }
    ],
    ...options
  })
  onTestFinished(async () => {
    for (const finish of calls.splice(0)) finish()
    await instance.close()
  })
  const caller = { kind: "member", user: "ada" } as const
  return {
    explain: async (as: CallerConfig = caller) =>
      (await instance.explain(request, { caller: as })).limits,
    instance,
    /** Begins a request, which lasts until `finish`. */
    ask: async () => {
      const before = calls.length
      const answered = instance.chat(request, { caller })
      await waitUntil(async () => calls.length > before, "the request did not arrive")
      return { answered, finish: () => calls.shift()?.() }
    }
  }
}

test("a request without limits runs", async () => {
  const { explain } = await start({}, {})
  expect(await explain()).toEqual({ spending: [], rates: [], endpoints: [], now: "runs" })
})

test.each([
  ["refused", {}],
  ["waits", { requestQueue: {} }]
] as const)("a request to an endpoint without room is %s", async (now, options) => {
  const { ask, explain } = await start(options)
  const endpoint = "a/b@one"
  const free = { endpoint, limit: 1, running: 0, waiting: 0, now: "runs" }
  expect(await explain()).toMatchObject({ endpoints: [free], now: "runs" })
  const { answered, finish } = await ask()
  expect(await explain()).toMatchObject({ endpoints: [{ ...free, running: 1, now }], now })
  finish()
  await answered
  // Asking takes nothing.
  expect(await explain()).toMatchObject({ endpoints: [free], now: "runs" })
})

test("the limits of a caller are shown with what is left of them", async () => {
  const { ask, explain } = await start(
    {
      credits: { default: "10" },
      settings: { maxParallelRequests: 1, tokenRateLimit: { tokens: 1_000, windowMillis: 60_000 } }
    },
    {}
  )
  expect(await explain()).toMatchObject({
    spending: [{ kind: "credits", interval: "lifetime", limit_usd: 10, left_usd: 10 }],
    rates: [
      { counts: "parallel_requests", holder: "key", limit: 1, running: 0, now: "admitted" },
      { counts: "tokens", holder: "key", limit: 1_000, window_millis: 60_000, now: "admitted" }
    ],
    now: "runs"
  })
  const { answered, finish } = await ask()
  expect(await explain()).toMatchObject({
    spending: [{ left_usd: 8 }],
    rates: [{ running: 1, now: "refused" }, { counts: "tokens" }],
    now: "refused"
  })
  finish()
  await answered
  // 2,000 tokens of 1,000 in a minute: there is room again in a minute.
  const after = await explain()
  expect(after).toMatchObject({
    spending: [{ left_usd: 8 }],
    rates: [
      { running: 0, now: "admitted" },
      { counts: "tokens", now: "refused" }
    ],
    now: "refused"
  })
  expect(after?.rates[1]?.retry_after_millis).toBeGreaterThan(0)
})

test("requests per window are shown with how many are left, and asking takes none of them", async () => {
  const { explain, instance } = await start(
    {
      authenticate: ({ token }) => ({ user: token ?? "nameless" }),
      settings: { rateLimit: { requests: 3, windowMillis: 3_600_000 } }
    },
    {}
  )
  const ask = (user: string) =>
    instance.fetch(
      new Request("http://localhost/api/v1/key", { headers: { authorization: `Bearer ${user}` } })
    )
  const of = async (user: string) => (await explain({ kind: "member", user }))?.rates[0]
  const rate = { counts: "requests", holder: "key", limit: 3, window_millis: 3_600_000 }
  expect(await of("ada")).toEqual({ ...rate, left: 3, now: "admitted" })
  expect((await ask("ada")).status).toBe(200)
  for (let i = 0; i < 5; i++) {
    expect(await of("ada")).toMatchObject({ ...rate, left: 2, now: "admitted" })
  }
  for (const status of [200, 200, 429]) expect((await ask("ada")).status).toBe(status)
  const refused = await of("ada")
  expect(refused).toMatchObject({ ...rate, left: 0, now: "refused" })
  expect(refused?.resets_in_millis).toBeGreaterThan(3_000_000)
  expect(refused?.retry_after_millis).toBe(refused?.resets_in_millis)
  expect(await explain({ kind: "member", user: "ada" })).toMatchObject({ now: "refused" })
  expect(await of("bob")).toMatchObject({ left: 3 })
})

test("exhausted credits refuse a request that costs something", async () => {
  const { ask, explain } = await start({ credits: { default: "2" } }, {})
  const { answered, finish } = await ask()
  finish()
  await answered
  expect(await explain()).toMatchObject({
    spending: [{ limit_usd: 2, left_usd: 0 }],
    now: "refused"
  })
})
