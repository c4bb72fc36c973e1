import { pace, reply } from "@signalbox/testing"
import type { SettingsShape } from "@signalbox/core"
import { expect, test } from "vitest"
import { decisionMethods } from "../support/decisionMethods.ts"
import { parseErrorEnvelope } from "../support/HttpResponse.ts"
import { send } from "../support/send.ts"
import { keys, TestServer } from "../support/TestServer.ts"

const start = (settings: Partial<SettingsShape> = {}) =>
  TestServer.start({ method: decisionMethods[1]!, settings })

const chat = (changes: object = {}) =>
  JSON.stringify({
    model: "proof/model",
    messages: [{ role: "user", content: "Is it calm at sea?" }],
    max_tokens: 100,
    provider: { only: ["first"] },
    ...changes
  })

const ask = (
  { root }: TestServer,
  { body = chat(), key = keys.member }: { readonly body?: string; readonly key?: string } = {}
) =>
  send(`${root}/api/v1/chat/completions`, {
    body,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" }
  })

const manage = ({ root }: TestServer, method: string, path: string, body?: unknown) =>
  send(`${root}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${keys.management}`, "content-type": "application/json" },
    ...(body === undefined ? undefined : { body: JSON.stringify(body) })
  })

/** Begins a stream, and returns what ends it. */
const openStream = async ({ root }: TestServer) => {
  const controller = new AbortController()
  const response = await fetch(`${root}/api/v1/chat/completions`, {
    method: "POST",
    body: chat({ stream: true }),
    headers: { authorization: `Bearer ${keys.member}`, "content-type": "application/json" },
    signal: controller.signal
  })
  return { abort: () => controller.abort(), response }
}

test("of requests at once, as many as may run in parallel reach the provider", async () => {
  await using server = await start({ maxParallelRequests: 3 })
  const { first } = server.upstreams
  const gate = first.gate()
  first.always(pace.hold(gate))
  const refused = Promise.withResolvers<void>()
  let left = 17
  const all = Promise.all(
    Array.from({ length: 20 }, async () => {
      const answer = await ask(server)
      if (answer.status === 429 && --left === 0) refused.resolve()
      return answer
    })
  )
  await Promise.all([first.waitForRequests(3), refused.promise])
  gate.open()
  const answers = await all
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(3)
  const one = answers.find(({ status }) => status === 429)
  expect(one?.headers["retry-after"]).toBe("1")
  expect(parseErrorEnvelope(one!).message).toContain("3 may run in parallel for this key")
  expect((await ask(server)).status).toBe(200)
})

test("a stream holds its slot until it ends", async () => {
  await using server = await start({ maxParallelRequests: 1 })
  const { first } = server.upstreams
  const gate = first.gate()
  first.always(reply.chat(["It ", "is ", gate, "calm."]))
  const { response } = await openStream(server)
  expect(response.status).toBe(200)
  expect((await ask(server)).status).toBe(429)
  gate.open()
  expect(await response.text()).toContain("[DONE]")
  await expect.poll(async () => (await ask(server)).status).toBe(200)
})

test("an aborted stream gives its slot and its unused tokens back", async () => {
  await using server = await start({
    maxParallelRequests: 1,
    tokenRateLimit: { tokens: 200, windowMillis: 3_600_000 }
  })
  const { first } = server.upstreams
  first.always(reply.chat(["It ", "is ", first.gate(), "calm."]))
  const { abort } = await openStream(server)
  expect((await ask(server)).status).toBe(429)
  abort()
  await first.waitForAborts(1)
  first.always(reply.chat(["Calm."], { usage: { inputTokens: 20, outputTokens: 2 } }))
  await expect.poll(async () => (await ask(server)).status).toBe(200)
})

test("tokens count as reported once an answer is there", async () => {
  await using server = await start({ tokenRateLimit: { tokens: 1_000, windowMillis: 3_600_000 } })
  const { first } = server.upstreams
  first.always(reply.chat(["Calm."], { usage: { inputTokens: 300, outputTokens: 100 } }))
  // The second one is let in by its estimate, which is less than what it uses.
  expect((await ask(server)).status).toBe(200)
  expect((await ask(server)).status).toBe(200)
  expect((await ask(server)).status).toBe(200)
  const refused = await ask(server)
  expect(refused.status).toBe(429)
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(60)
  expect(refused.headers["x-ratelimit-limit"]).toBe("1000")
  expect(parseErrorEnvelope(refused).message).toContain("1000 tokens per window for this key")
  expect((await ask(server, { key: keys.organization })).status).toBe(200)
})

test("the manager of a key limits its tokens and its parallel requests", async () => {
  await using server = await start()
  const made = await manage(server, "POST", "/keys", { name: "limited" })
  const { data, key } = Object(made.body)
  const set = await manage(server, "PUT", `/signalbox/keys/${data.hash}/rate-limit`, {
    max_parallel_requests: 1,
    token_rate_limit: { tokens: 50, windowMillis: 60_000 }
  })
  expect(Object(set.body).data).toMatchObject({
    rate_limit: null,
    max_parallel_requests: 1,
    token_rate_limit: { tokens: 50, windowMillis: 60_000 }
  })
  const { first } = server.upstreams
  const gate = first.gate()
  first.always(pace.hold(gate))
  const running = ask(server, { key })
  await first.waitForRequests(1)
  expect((await ask(server, { key })).status).toBe(429)
  gate.open()
  expect((await running).status).toBe(200)
  const lifted = await manage(server, "PUT", `/signalbox/keys/${data.hash}/rate-limit`, {
    token_rate_limit: null
  })
  expect(Object(lifted.body).data).toMatchObject({
    max_parallel_requests: 1,
    token_rate_limit: null
  })
  expect((await ask(server, { key })).status).toBe(200)
  const nothing = await manage(server, "PUT", `/signalbox/keys/${data.hash}/rate-limit`, {})
  expect(nothing.status).toBe(400)
})

test("the application itself is not limited, and a caller in process is", async () => {
  await using server = await start()
  const { instance, upstreams } = server
  const gate = upstreams.first.gate()
  upstreams.first.always(pace.hold(gate))
  const body = {
    model: "proof/model",
    messages: [{ role: "user" as const, content: "Hi" }],
    provider: { only: ["first"] }
  }
  const caller = { user: "ada", kind: "member" as const, maxParallelRequests: 1 }
  const running = [instance.chat(body), instance.chat(body), instance.chat(body, { caller })]
  await upstreams.first.waitForRequests(3)
  await expect(instance.chat(body, { caller })).rejects.toMatchObject({ status: 429 })
  gate.open()
  await Promise.all(running)
})
