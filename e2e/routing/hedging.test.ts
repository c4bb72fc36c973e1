/** A provider that stalls before its first event: another one answers, by each chat API, and both are in the record. */
import type { Strategy } from "@signalbox/core"
import { pace, reply } from "@signalbox/testing"
import { expect, test } from "vitest"
import { managementKey, memberKey, MessagesServer } from "../messages/MessagesServer.ts"
import { send } from "../support/send.ts"

const stalling: Strategy = {
  name: "stalling",
  first: ({ contenders }) =>
    contenders.find(({ candidate }) => candidate.endpoint.provider === "chat") ?? contenders[0]!
}

const common = { model: "proof/all", stream: true, provider: { only: ["chat", "messages"] } }
const messages = [{ role: "user", content: "Is it calm at sea?" }]
const apis = {
  chat: { path: "/chat/completions", body: { ...common, messages } },
  messages: { path: "/messages", body: { ...common, messages, max_tokens: 100 } },
  responses: { path: "/responses", body: { ...common, input: "Is it calm at sea?", store: false } }
}
const headers = { authorization: `Bearer ${memberKey}` }

test.each(Object.entries(apis))(
  "a stalled stream is hedged by the API %s",
  async (_, { body, path }) => {
    await using server = await MessagesServer.start({ hedging: {}, strategy: stalling })
    const { chat, messages } = server.upstreams
    const ask = (rest: object = {}) => server.post({ ...body, ...rest }, { path, headers })
    chat.always(reply.chat(["It ", "is."]))
    messages.always(reply.chat(["Calm ", "as ", "glass."]))
    // A delay is derived from at least as many first events.
    await Promise.all(Array.from({ length: 20 }, () => ask()))
    expect([chat.requests.length, messages.requests.length]).toEqual([20, 0])

    chat.always(pace.hold(chat.gate(), "request_body", reply.chat("Too late.")))
    const answered = await ask()
    expect(answered.status).toBe(200)
    expect(answered.text).toContain("glass.")
    expect(answered.text).not.toContain("late")
    const [cut] = await chat.waitForAborts(1)
    expect(cut).toBe(chat.requests[20])
    expect([chat.requests.length, messages.requests.length]).toEqual([21, 1])

    const record = await server.findRecord(answered.headers["x-generation-id"])
    expect(record).toMatchObject({
      provider: "messages",
      attempts: [
        { endpoint: "proof/all@chat", outcome: "lost", lost: true, estimated: true },
        { endpoint: "proof/all@messages", outcome: "served", hedge: true }
      ]
    })
    const [lost, won] = record?.attempts ?? []
    // The prompt, at four bytes a token, and nothing for an answer.
    expect(lost?.usage).toMatchObject({ outputTokens: 0 })
    expect(lost?.cost).toBe(BigInt(lost?.usage?.inputTokens ?? 0) * 5_000n)
    expect(record?.cost).toBe((lost?.cost ?? 0n) + (won?.cost ?? 0n))
    expect(lost).not.toHaveProperty("hedge")
    expect(won).not.toHaveProperty("lost")

    const { text } = await send(`${server.root}/api/v1/signalbox/metrics`, {
      method: "GET",
      headers: { authorization: `Bearer ${managementKey}` }
    })
    for (const name of ["hedges_total", "hedge_wins_total"]) {
      expect(text).toContain(`signalbox_${name}{operation="chat",provider="messages"} 1`)
    }
    expect(text).toContain(
      `signalbox_hedge_cost_nano_usd_total{operation="chat",provider="chat"} ${lost?.cost}`
    )
  }
)

test("a loser is charged what its provider said before it was cut off", async () => {
  const first: Strategy = { ...stalling, first: ({ contenders }) => contenders[0]! }
  await using server = await MessagesServer.start({ hedging: {}, strategy: first })
  const { chat, messages } = server.upstreams
  const { body, path } = apis.chat
  const provider = { only: ["messages", "chat"] }
  const ask = () => server.post({ ...body, provider }, { path, headers })
  messages.always(reply.chat("It is."))
  chat.always(reply.chat("Calm."))
  await Promise.all(Array.from({ length: 20 }, ask))
  expect(messages.requests).toHaveLength(20)
  // Anthropic's API says what the prompt takes before it says anything else.
  const usage = { inputTokens: 1_234, outputTokens: 1 }
  messages.always(reply.chat([messages.gate(), "Too late."], { usage }))
  const { headers: answered, text } = await ask()
  expect(text).toContain("Calm.")
  const record = await server.findRecord(answered["x-generation-id"])
  expect(record?.attempts[0]).toMatchObject({ outcome: "lost", usage: { inputTokens: 1_234 } })
  expect(record?.attempts[0]).not.toHaveProperty("estimated")
})

test("a whole answer is hedged if the request asks for it, and its metadata says so", async () => {
  await using server = await MessagesServer.start({ hedging: {}, strategy: stalling })
  const { chat, messages } = server.upstreams
  const { body, path } = apis.chat
  const ask = () =>
    server.post(
      { ...body, stream: false, provider: { ...body.provider, hedge: true } },
      { path, headers: { ...headers, "x-signalbox-metadata": "enabled" } }
    )
  chat.always(reply.chat("It is."))
  messages.always(reply.chat("Calm."))
  await Promise.all(Array.from({ length: 20 }, ask))
  chat.always(pace.hold(chat.gate(), "request_body", reply.chat("Too late.")))
  const answered = await ask()
  expect(JSON.parse(answered.text)).toMatchObject({
    choices: [{ message: { content: "Calm." } }],
    service_metadata: {
      attempt: 2,
      attempts: [
        { provider: "chat", status: 0, lost: true },
        { provider: "messages", status: 200, hedge: true }
      ]
    }
  })
  await chat.waitForAborts(1)
})

test("a request without hedging waits for the stalled provider", async () => {
  await using server = await MessagesServer.start({ hedging: {}, strategy: stalling })
  const { chat, messages } = server.upstreams
  chat.always(reply.chat("It is."))
  const { body, path } = apis.chat
  const ask = (provider: object = {}) =>
    server.post({ ...body, provider: { ...body.provider, ...provider } }, { path, headers })
  await Promise.all(Array.from({ length: 20 }, () => ask()))
  const gate = chat.gate()
  chat.always(pace.hold(gate, "request_body", reply.chat("At last.")))
  const waiting = ask({ hedge: false })
  await chat.waitForRequests(21)
  // Another stalled request is hedged meanwhile, so the delay has passed for both.
  messages.always(reply.chat("Calm."))
  expect((await ask()).text).toContain("Calm.")
  gate.open()
  expect((await waiting).text).toContain("At last.")
  expect(messages.requests).toHaveLength(1)
})
