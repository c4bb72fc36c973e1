import { anthropic } from "@signalbox/anthropic"
import { google } from "@signalbox/google"
import { Signalbox } from "@signalbox/node"
import { openai, xai } from "@signalbox/openai"
import { reply, ScriptedUpstream } from "@signalbox/testing"
import { afterAll, beforeAll, expect, test } from "vitest"
import { nodeHost, type RunningHost } from "../support/hosts.ts"
import { send } from "../support/send.ts"
import { makeTestStores } from "../support/testStores.ts"
import { type ExpectedUsage, prices, type UsageRow, usageRows } from "./providerUsage.ts"
import { writeProviderAnswer } from "./writeProviderAnswer.ts"

const key = "sk-usage-member-4a1f"
const providers = ["chat", "xai", "messages", "responses", "gemini"] as const

let provider: ScriptedUpstream
let host: RunningHost
let instance: Awaited<ReturnType<typeof Signalbox.make>>

beforeAll(async () => {
  provider = await ScriptedUpstream.start()
  const at = (slug: string, path: string) => ({
    slug,
    apiKey: "sk-at-provider",
    baseUrl: provider.url + path
  })
  instance = await Signalbox.make({
    ...makeTestStores(),
    upstreams: [
      openai({ ...at("chat", "/v1"), name: "Chat" }),
      xai({ apiKey: "sk-at-provider", baseUrl: `${provider.url}/v1` }),
      anthropic(at("messages", "")),
      openai({ ...at("responses", "/v1"), name: "Responses", api: "responses" }),
      google(at("gemini", "/v1beta"))
    ],
    models: providers.map((slug) => ({
      id: `usage/${slug}`,
      endpoints: [{ provider: slug, model: models[slug], price: prices, contextLength: 1_000_000 }]
    })),
    keys: [{ key, kind: "member", user: "mem-1" }]
  })
  host = await nodeHost.start(instance, "")
})

/** Names whose facts the upstreams know. */
const models: Readonly<Record<(typeof providers)[number], string>> = {
  chat: "acme-1",
  xai: "grok-4",
  messages: "claude-opus-4-8",
  responses: "gpt-5",
  gemini: "gemini-3-flash"
}

afterAll(async () => {
  await host.close()
  await instance.close()
  await provider.close()
})

const call = (path: string, body?: object) =>
  send(`${host.origin}/api/v1${path}`, {
    ...(body === undefined ? { method: "GET" } : { body: JSON.stringify(body) }),
    headers: { "content-type": "application/json", authorization: `Bearer ${key}` }
  })

const script = (row: UsageRow, isStreamed: boolean) => {
  const { events, whole } = writeProviderAnswer(row)
  provider.script(isStreamed ? reply.events(events) : reply.json(whole))
}

const findGeneration = async (headers: Readonly<Record<string, unknown>>) => {
  const { body } = await call(`/generation?id=${String(headers["x-generation-id"])}`)
  return Object(body).data
}

const listCases = (row: UsageRow) => [
  { name: `${row.provider}, whole`, row, stream: false },
  { name: `${row.provider}, streamed`, row, stream: true }
]

test("at least forty ways of reporting are known, each once and with its source", () => {
  expect(usageRows.length).toBeGreaterThanOrEqual(40)
  expect(new Set(usageRows.map((row) => row.provider)).size).toBe(usageRows.length)
  for (const { source } of usageRows) expect(source).toMatch(/^https:\/\//)
})

test.each(usageRows.flatMap(listCases))(
  "a chat is charged for the usage of $name",
  async ({ row, stream }) => {
    script(row, stream)
    const { headers, status, text } = await call("/chat/completions", {
      model: `usage/${row.upstream ?? row.dialect}`,
      messages: [{ role: "user", content: "Hello?" }],
      max_tokens: 1_000,
      stream
    })
    expect(status).toBe(200)
    const { charge, expected } = row
    expect(stream ? findStreamedUsage(text) : JSON.parse(text).usage).toMatchObject({
      prompt_tokens: expected.prompt,
      completion_tokens: expected.completion,
      total_tokens: expected.prompt + expected.completion,
      cost: charge,
      ...toDetails(expected)
    })
    expect(await findGeneration(headers)).toMatchObject({
      total_cost: charge,
      native_tokens_prompt: expected.prompt,
      native_tokens_completion: expected.completion,
      ...(expected.cached === undefined ? undefined : { native_tokens_cached: expected.cached }),
      ...(expected.reasoning === undefined
        ? undefined
        : { native_tokens_reasoning: expected.reasoning }),
      ...(expected.tier === undefined ? undefined : { service_tier: expected.tier })
    })
  }
)

const ofOtherDialect = (dialect: UsageRow["dialect"]) =>
  usageRows.filter((row) => row.dialect !== dialect)

test.each(ofOtherDialect("messages"))(
  "a message says what was charged for: $provider",
  async (row) => {
    script(row, false)
    const { text } = await call("/messages", {
      model: `usage/${row.upstream ?? row.dialect}`,
      max_tokens: 1_000,
      messages: [{ role: "user", content: "Hello?" }]
    })
    const { cacheWrite = 0, cached = 0, completion, prompt } = row.expected
    const { usage } = JSON.parse(text)
    expect(usage).toMatchObject({ output_tokens: completion, cost: row.charge })
    expect(usage.input_tokens).toBe(prompt - cached - cacheWrite)
    expect(usage.cache_read_input_tokens ?? 0).toBe(cached)
    expect(usage.cache_creation_input_tokens ?? 0).toBe(cacheWrite)
  }
)

test.each(ofOtherDialect("responses"))(
  "a response says what was charged for: $provider",
  async (row) => {
    script(row, false)
    const { text } = await call("/responses", {
      model: `usage/${row.upstream ?? row.dialect}`,
      input: "Hello?"
    })
    const { cached = 0, completion, prompt, reasoning = 0 } = row.expected
    expect(JSON.parse(text).usage).toMatchObject({
      input_tokens: prompt,
      input_tokens_details: { cached_tokens: cached },
      output_tokens: completion,
      output_tokens_details: { reasoning_tokens: reasoning },
      cost: row.charge
    })
  }
)

const findStreamedUsage = (text: string): unknown => {
  const chunks = text
    .split("\n")
    .filter((line) => line.startsWith("data: {"))
    .map((line) => JSON.parse(line.slice("data: ".length)))
  return chunks.findLast(({ usage }) => usage !== undefined && usage !== null)?.usage
}

const toDetails = ({ cacheWrite, cached, reasoning }: ExpectedUsage) => ({
  ...(cached === undefined && cacheWrite === undefined
    ? undefined
    : {
        prompt_tokens_details: {
          ...(cached === undefined ? undefined : { cached_tokens: cached }),
          ...(cacheWrite === undefined ? undefined : { cache_write_tokens: cacheWrite })
        }
      }),
  ...(reasoning === undefined
    ? undefined
    : { completion_tokens_details: { reasoning_tokens: reasoning } })
})
