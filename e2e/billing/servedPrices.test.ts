import { anthropic } from "@signalbox/anthropic"
import { Signalbox } from "@signalbox/node"
import { openai } from "@signalbox/openai"
import { reply, ScriptedUpstream } from "@signalbox/testing"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { nodeHost, type RunningHost } from "../support/hosts.ts"
import { send } from "../support/send.ts"
import { makeTestStores } from "../support/testStores.ts"

const member = "sk-served-member-4a1f"
const management = "sk-served-management-11c2"

let provider: ScriptedUpstream
let host: RunningHost
let instance: Awaited<ReturnType<typeof Signalbox.make>>

/** USD per token. */
const usual = { prompt: "0.000001", completion: "0.00001" }
const priority = { prompt: "0.000002", completion: "0.00002" }
const flex = { prompt: "0.0000005", completion: "0.000005" }
const advisor = { prompt: "0.00001", completion: "0.0001" }
const fast = { prompt: "0.000006", completion: "0.00006" }

beforeAll(async () => {
  provider = await ScriptedUpstream.start()
  const at = (slug: string, path: string) => ({
    slug,
    name: slug,
    apiKey: "sk-at-provider",
    baseUrl: provider.url + path
  })
  instance = await Signalbox.make({
    ...makeTestStores(),
    upstreams: [
      openai(at("chat", "/v1")),
      openai({ ...at("responses", "/v1"), api: "responses" }),
      anthropic(at("messages", ""))
    ],
    models: [
      ...["chat", "responses"].map((slug) => ({
        id: `served/${slug}`,
        endpoints: [
          { provider: slug, model: "gpt-5", price: usual },
          { provider: slug, model: "gpt-5", variant: "priority", price: priority },
          { provider: slug, model: "gpt-5", variant: "flex", price: flex }
        ]
      })),
      { id: "served/unpriced", endpoints: [{ provider: "chat", model: "gpt-4", price: usual }] },
      {
        id: "served/messages",
        endpoints: [
          {
            provider: "messages",
            model: "claude-sonnet-5",
            price: {
              ...usual,
              overrides: [
                { service_tier: "priority", ...priority },
                { speed: "fast", ...fast }
              ]
            }
          }
        ]
      },
      {
        id: "served/advisor",
        endpoints: [{ provider: "messages", model: "claude-opus-5-5", price: advisor }]
      }
    ],
    keys: [
      { key: member, kind: "member", user: "mem-1" },
      { key: management, kind: "management" }
    ]
  })
  host = await nodeHost.start(instance, "")
})

afterAll(async () => {
  await host.close()
  await instance.close()
  await provider.close()
})

const call = (path: string, body: object, key = member) =>
  send(`${host.origin}/api/v1${path}`, {
    body: JSON.stringify(body),
    headers: { "content-type": "application/json", authorization: `Bearer ${key}` }
  })

const makeKey = async (limit: number) =>
  String(Object((await call("/keys", { name: "limited", limit }, management)).body).key)

const chatAnswer = (service_tier: string | undefined) => ({
  id: "chatcmpl-1",
  object: "chat.completion",
  created: 1,
  model: "gpt-5",
  choices: [{ index: 0, message: { role: "assistant", content: "Hi." }, finish_reason: "stop" }],
  usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 },
  ...(service_tier === undefined ? undefined : { service_tier })
})

const responsesAnswer = (service_tier: string | undefined) => ({
  id: "resp_1",
  object: "response",
  created_at: 1,
  model: "gpt-5",
  status: "completed",
  output: [
    {
      id: "msg_1",
      type: "message",
      role: "assistant",
      status: "completed",
      content: [{ type: "output_text", text: "Hi.", annotations: [] }]
    }
  ],
  usage: { input_tokens: 100, output_tokens: 10, total_tokens: 110 },
  ...(service_tier === undefined ? undefined : { service_tier })
})

const message = (usage: object) => ({
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "claude-sonnet-5",
  content: [{ type: "text", text: "Hi." }],
  stop_reason: "end_turn",
  stop_sequence: null,
  usage: { input_tokens: 100, output_tokens: 10, ...usage }
})

/** One hundred tokens in and ten out. */
const costs = { default: 0.0002, priority: 0.0004, flex: 0.0001 }

describe.each(["chat", "responses"])("a tier of %s", (slug) => {
  test.each([
    { asked: "priority", served: "default", cost: costs.default },
    { asked: "priority", served: "priority", cost: costs.priority },
    { asked: "priority", served: undefined, cost: costs.priority },
    { asked: "flex", served: "default", cost: costs.default },
    { asked: "flex", served: "flex", cost: costs.flex },
    { asked: undefined, served: "priority", cost: costs.priority },
    { asked: "auto", served: "priority", cost: costs.priority },
    { asked: undefined, served: "default", cost: costs.default },
    { asked: undefined, served: "tier_of_tomorrow", cost: costs.default }
  ])("is charged as it served: asked $asked, served $served", async ({ asked, cost, served }) => {
    provider.script(reply.json(slug === "chat" ? chatAnswer(served) : responsesAnswer(served)))
    const { body } = await call("/chat/completions", {
      model: `served/${slug}`,
      messages: [{ role: "user", content: "Hi?" }],
      ...(asked === undefined ? undefined : { service_tier: asked })
    })
    expect(Object(body).usage.cost).toBe(cost)
  })
})

test("a streamed tier is charged as it served", async () => {
  const { choices: _, usage, ...base } = chatAnswer("priority")
  provider.script(
    reply.events([
      {
        data: { ...base, choices: [{ index: 0, delta: { content: "Hi." }, finish_reason: "stop" }] }
      },
      { data: { ...base, choices: [], usage } },
      { data: "[DONE]" }
    ])
  )
  const { text } = await call("/chat/completions", {
    model: "served/chat",
    messages: [{ role: "user", content: "Hi?" }],
    stream: true
  })
  expect(text).toContain(`"cost":${costs.priority}`)
})

test("the reservation covers the dearest tier that may serve", async () => {
  // The worst case of 1,000 tokens out is 0.01 USD at the usual price, and 0.02 USD in the priority tier.
  const key = await makeKey(0.015)
  const { status } = await call(
    "/chat/completions",
    { model: "served/chat", messages: [{ role: "user", content: "Hi?" }], max_tokens: 1_000 },
    key
  )
  expect(status).toBe(402)
})

test("a tier without a price is not bought where spending is limited", async () => {
  const key = await makeKey(1)
  const before = provider.requests.length
  const { status, text } = await call(
    "/chat/completions",
    {
      model: "served/unpriced",
      messages: [{ role: "user", content: "Hi?" }],
      service_tier: "priority"
    },
    key
  )
  expect(status).not.toBe(200)
  expect(text).toContain("service_tier")
  expect(provider.requests).toHaveLength(before)
})

const ask = (more: object = {}) =>
  call("/messages", {
    model: "served/messages",
    max_tokens: 100,
    messages: [{ role: "user", content: "Hi?" }],
    ...more
  })

describe("a message of Anthropic", () => {
  test.each([
    ["a priority tier", {}, { service_tier: "priority" }, 0.0004],
    ["the standard tier", { service_tier: "auto" }, { service_tier: "standard" }, 0.0002],
    ["a fast speed", { speed: "fast" }, { speed: "fast" }, 0.0012],
    ["a fast speed that served as usual", { speed: "fast" }, { speed: "standard" }, 0.0002],
    ["a fast speed of which nothing is said", { speed: "fast" }, {}, 0.0012]
  ])("is charged by %s", async (_, asked, served, cost) => {
    provider.script(reply.json(message(served)))
    expect(Object((await ask(asked)).body).usage.cost).toBe(cost)
  })

  test("is refused a place that has no price", async () => {
    const before = provider.requests.length
    const { status, text } = await ask({ inference_geo: "us" })
    expect(status).not.toBe(200)
    expect(text).toContain("inference_geo")
    expect(provider.requests).toHaveLength(before)
  })

  test("is charged for its advisor at the advisor's price", async () => {
    provider.script(
      reply.json(
        message({
          iterations: [
            { type: "message", input_tokens: 100, output_tokens: 10 },
            {
              type: "advisor_message",
              model: "claude-opus-5-5",
              input_tokens: 200,
              output_tokens: 20
            }
          ]
        })
      )
    )
    expect(Object((await ask()).body).usage.cost).toBe(0.0042)
  })

  test("is charged for an advisor that the catalog does not know at its own price", async () => {
    provider.script(
      reply.json(
        message({
          iterations: [
            { type: "message", input_tokens: 100, output_tokens: 10 },
            { type: "advisor_message", model: "unknown", input_tokens: 200, output_tokens: 20 }
          ]
        })
      )
    )
    expect(Object((await ask()).body).usage.cost).toBe(0.0006)
  })

  test("is charged for the model that declined and for the fallback that answered", async () => {
    provider.script(
      reply.json({
        ...message({
          iterations: [
            { type: "message", model: "claude-sonnet-5", input_tokens: 50, output_tokens: 5 },
            {
              type: "fallback_message",
              model: "claude-opus-5-5",
              input_tokens: 100,
              output_tokens: 10
            }
          ]
        }),
        model: "claude-opus-5-5"
      })
    )
    expect(Object((await ask()).body).usage.cost).toBe(0.0021)
  })
})
