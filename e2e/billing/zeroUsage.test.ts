/** Usage that counts nothing, or in unusual places: no request is free because its provider reports zeros. */
import { Signalbox } from "@signalbox/node"
import { openai, rerank } from "@signalbox/openai"
import { reply, ScriptedUpstream } from "@signalbox/testing"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { nodeHost, type RunningHost } from "../support/hosts.ts"
import { send } from "../support/send.ts"
import { makeTestStores } from "../support/testStores.ts"

const member = "sk-zero-usage-member-71b0"

let provider: ScriptedUpstream
let host: RunningHost
let instance: Awaited<ReturnType<typeof Signalbox.make>>

const toModel = (slug: string, outputs: ReadonlyArray<string>) => ({
  id: `zero/${slug}`,
  card: { architecture: { input_modalities: ["text"], output_modalities: outputs } },
  endpoints: [{ provider: slug, model: slug, price: { prompt: "0.000001", completion: "0" } }]
})

beforeAll(async () => {
  provider = await ScriptedUpstream.start()
  const at = (slug: string) => ({
    slug,
    name: slug,
    apiKey: "sk-at-provider",
    baseUrl: `${provider.url}/v1`
  })
  instance = await Signalbox.make({
    ...makeTestStores(),
    upstreams: [
      openai(at("chat")),
      openai(at("embed")),
      rerank({ ...at("rank"), dialect: "cohere" })
    ],
    models: [
      toModel("chat", ["text"]),
      toModel("embed", ["embeddings"]),
      toModel("rank", ["rerank"])
    ],
    keys: [{ key: member, kind: "member", user: "mem-1" }]
  })
  host = await nodeHost.start(instance, "")
})

afterAll(async () => {
  await host.close()
  await instance.close()
  await provider.close()
})

const call = (path: string, body: object) =>
  send(`${host.origin}/api/v1${path}`, {
    body: JSON.stringify(body),
    headers: { "content-type": "application/json", authorization: `Bearer ${member}` }
  })

const zeros = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }
/** 2,400 characters. */
const text = "Hello. ".repeat(400)

describe.each([false, true])("a chat, streamed: %s", (stream) => {
  test.each([
    { usage: zeros, completion: 2 },
    { usage: { ...zeros, completion_tokens: 50, total_tokens: 50 }, completion: 50 }
  ])(
    "whose usage has no prompt is charged for an estimate of it: %j",
    async ({ usage, completion }) => {
      const base = { id: "c1", created: 1, model: "chat" }
      const choice = { index: 0, finish_reason: "stop" }
      provider.script(
        stream
          ? reply.events([
              { data: { ...base, choices: [{ ...choice, delta: { content: "Hello." } }] } },
              { data: { ...base, choices: [], usage } },
              { data: "[DONE]" }
            ])
          : reply.json({
              ...base,
              object: "chat.completion",
              choices: [{ ...choice, message: { role: "assistant", content: "Hello." } }],
              usage
            })
      )
      const answer = await call("/chat/completions", {
        model: "zero/chat",
        messages: [{ role: "user", content: text }],
        stream
      })
      const [, cost] = /"cost":([\d.e-]+)/.exec(answer.text) ?? []
      expect(Number(cost)).toBeGreaterThan(0.0005)
      expect(answer.text).toContain(`"completion_tokens":${completion}`)
    }
  )
})

test.each([
  { usage: { prompt_tokens: 0, total_tokens: 0 }, atLeast: 500 },
  { usage: { prompt_tokens: 0, total_tokens: 321 }, atLeast: 321 }
])("embeddings whose usage has no prompt are charged: $usage", async ({ atLeast, usage }) => {
  provider.script(
    reply.json({
      object: "list",
      model: "embed",
      data: [{ object: "embedding", index: 0, embedding: [0.1, 0.2] }],
      usage
    })
  )
  const { body } = await call("/embeddings", { model: "zero/embed", input: text })
  expect(Object(body).usage.prompt_tokens).toBeGreaterThanOrEqual(atLeast)
  expect(Object(body).usage.cost).toBeGreaterThanOrEqual(atLeast / 1e6)
})

test.each([
  {
    name: "SiliconFlow, tokens beside 0 search units",
    report: {
      meta: {
        billed_units: { input_tokens: 123, output_tokens: 0, search_units: 0, classifications: 0 },
        tokens: { input_tokens: 123, output_tokens: 0 }
      }
    }
  },
  { name: "tokens in meta", report: { meta: { tokens: { input_tokens: 123 } } } },
  { name: "Jina", report: { usage: { total_tokens: 123, prompt_tokens: 123 } } },
  { name: "a prompt without a total", report: { usage: { prompt_tokens: 123 } } }
])("a rerank is charged for its tokens: $name", async ({ report }) => {
  provider.script(reply.json({ results: [{ index: 0, relevance_score: 0.5 }], ...report }))
  const { body } = await call("/rerank", { model: "zero/rank", query: "q", documents: ["d"] })
  expect(Object(body).usage).toEqual({ total_tokens: 123, cost: 0.000123 })
})
