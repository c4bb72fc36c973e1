/** Tools that providers run by themselves: what they read is charged as reported, and no spending limit is exceeded. */
import { describe, expect, test } from "vitest"
import {
  type Api,
  apis,
  memberKey,
  price,
  ServerToolsServer,
  type ServerToolsOptions
} from "./ServerToolsServer.ts"

const search: Readonly<Record<Api, object>> = {
  chat: { web_search_options: {} },
  messages: { tools: [{ type: "web_search_20250305", name: "web_search", max_uses: 5 }] },
  responses: { tools: [{ type: "web_search" }] }
}

const ways = apis.flatMap((api) => [
  { api, stream: false },
  { api, stream: true }
])

/** The usage of an answer, whole or streamed. */
const findUsage = (api: Api, stream: boolean, text: string): Record<string, unknown> => {
  if (!stream) return JSON.parse(text).usage
  const events = text.split("\n").flatMap((line) => {
    const data = line.startsWith("data: ") ? line.slice(6) : "[DONE]"
    return data === "[DONE]" ? [] : [JSON.parse(data)]
  })
  const found = events.findLast((event) =>
    api === "responses" ? event.response?.usage : event.usage
  )
  return api === "responses" ? found.response.usage : found.usage
}

describe.each(ways)("by $api, streamed: $stream", ({ api, stream }) => {
  const ask = (server: ServerToolsServer, body: object, key?: string) =>
    server.ask(api, { ...body, stream }, key)

  test.each([
    { input: 12_000, cost: 0.023 },
    { input: 60_000, cost: 0.071 },
    { input: 400_000, cost: 0.411 }
  ])("$input tokens that a search read are charged as reported", async ({ cost, input }) => {
    await using server = await ServerToolsServer.start({
      counts: { input, output: 100, searches: 1 }
    })
    for (const body of [search[api], {}]) {
      const answer = await ask(server, body)
      expect(answer.status).toBe(200)
      const usage = findUsage(api, stream, answer.text)
      expect(usage).toMatchObject({ cost })
      expect(usage).not.toHaveProperty("reported")
    }
  })

  test("an implausible count is capped alone, and the answer tells what the provider said", async () => {
    await using server = await ServerToolsServer.start({
      counts: { input: 900_000, output: 77, cacheRead: 3 }
    })
    const answer = await ask(server, {})
    const usage = findUsage(api, stream, answer.text)
    const [inputName, outputName] =
      api === "chat" ? ["prompt_tokens", "completion_tokens"] : ["input_tokens", "output_tokens"]
    expect(usage[inputName]).toBeLessThan(1_000)
    expect(usage[outputName]).toBe(77)
    expect(usage["reported"]).toMatchObject({ [inputName]: 900_000, [outputName]: 77 })
    expect(usage["cost"]).toBeLessThan(0.002)
    expect(JSON.stringify(usage)).toMatch(/"(cached_tokens|cache_read_input_tokens)":3/)
  })

  const limits: ReadonlyArray<{
    readonly kind: string
    readonly options?: ServerToolsOptions
    readonly set?: (server: ServerToolsServer, usd: number) => Promise<string | void>
  }> = [
    { kind: "a key", options: { memberKey: { limit: 0.2 } } },
    { kind: "an account with credits", options: { instance: { credits: { default: "0.2" } } } },
    {
      kind: "a workspace",
      set: async (server, usd) => {
        await server.manage("/workspaces/default/budgets/lifetime", { limit_usd: usd }, "PUT")
      }
    },
    {
      kind: "a guardrail of a member",
      set: async (server, usd) => {
        const { body } = await server.manage("/guardrails", {
          name: "capped",
          limit_usd: usd,
          reset_interval: "monthly"
        })
        await server.manage(`/guardrails/${Object(body).data.id}/assignments/members`, {
          member_user_ids: ["mem-1"]
        })
      }
    },
    {
      kind: "a key made over HTTP",
      set: async (server, usd) => {
        const { body } = await server.manage("/keys", { name: "capped", limit: usd })
        return Object(body).key
      }
    }
  ]

  test.each(limits)(
    "20 searches at once do not exceed the limit of $kind",
    async ({ options, set }) => {
      await using server = await ServerToolsServer.start({
        ...options,
        counts: { input: 1_000, output: 100, searches: 5 },
        endpoint: { serverTools: { maxInputTokens: 2_000, maxCalls: 5 } }
      })
      const key = (await set?.(server, 0.2)) ?? memberKey
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => ask(server, search[api], key))
      )
      const served = answers.filter(({ status }) => status === 200).length
      expect(served).toBeGreaterThan(0)
      expect(server.requests.length).toBe(served)
      expect(served * 0.052).toBeLessThanOrEqual(0.2)
      for (const { status } of answers) expect([200, 402, 403]).toContain(status)
    }
  )

  test.each([
    ["chat", { web_search_options: {} }],
    ["messages", { tools: [{ type: "web_search_20250305", name: "web_search" }] }],
    ["messages", { tools: [{ type: "web_fetch_20250910", name: "web_fetch" }] }],
    [
      "messages",
      {
        mcp_servers: [{ type: "url", name: "files", url: "https://mcp.example.com" }],
        tools: [{ type: "mcp_toolset", mcp_server_name: "files" }]
      }
    ],
    ["messages", { tools: [{ type: "code_execution_20250825", name: "code_execution" }] }],
    ["messages", { tools: [{ type: "brand_new_20300101", name: "unheard_of" }] }],
    ["responses", { tools: [{ type: "web_search" }] }],
    ["responses", { tools: [{ type: "file_search", vector_store_ids: ["vs_1"] }] }],
    [
      "responses",
      { tools: [{ type: "mcp", server_label: "files", server_url: "https://mcp.example.com" }] }
    ],
    ["responses", { tools: [{ type: "code_interpreter", container: { type: "auto" } }] }]
  ] as const)("a limit of 0.02 USD refuses what may cost more: %s %j", async (inbound, body) => {
    if (inbound !== api) return
    await using server = await ServerToolsServer.start({
      counts: { input: 200_000, output: 10 },
      memberKey: { limit: 0.02 }
    })
    const answers = await Promise.all(Array.from({ length: 5 }, () => ask(server, body)))
    for (const { status } of answers) expect([400, 402]).toContain(status)
    expect(server.requests.length).toBe(0)
  })
})

test.each<readonly [Api, object]>([
  ["chat", { enable_web_search: true }],
  ["chat", { extra_body: { enable_search: true } }],
  ["chat", { venice_parameters: { enable_web_search: "on" } }],
  ["chat", { connectors: [{ id: "web-search" }] }],
  ["chat", { tools: { type: "web_search" } }],
  ["responses", { tools: [{ type: "web_search", execution: "client" }] }],
  ["responses", { tools: [{ type: "namespace", name: "n", tools: [{ type: "web_search" }] }] }]
])("a search under an unusual name does not pass a limit: %s %j", async (api, body) => {
  await using server = await ServerToolsServer.start({
    counts: { input: 200_000, output: 10, searches: 5 },
    memberKey: { limit: 0.02 }
  })
  expect([400, 402]).toContain((await server.ask(api, body)).status)
  expect(server.requests.length).toBe(0)
})

test("tools that the caller runs are not tools of the provider, under any name", async () => {
  await using server = await ServerToolsServer.start({ memberKey: { limit: 0.02 } })
  const bodies: ReadonlyArray<readonly [Api, object]> = [
    ["messages", { tools: [{ type: "bash_20250124", name: "bash" }] }],
    ["messages", { tools: [{ type: "memory_20250818", name: "memory" }] }],
    [
      "messages",
      { tools: [{ type: "text_editor_20250728", name: "str_replace_based_edit_tool" }] }
    ],
    ["messages", { tools: [{ name: "mine", input_schema: { type: "object" } }] }],
    ["responses", { tools: [{ type: "local_shell" }] }],
    ["responses", { tools: [{ type: "apply_patch" }] }],
    ["responses", { tools: [{ type: "shell", environment: { type: "local" } }] }],
    ["responses", { tools: [{ type: "function", name: "mine", parameters: {} }] }],
    ["chat", { tools: [{ type: "function", function: { name: "mine" } }] }]
  ]
  for (const [api, body] of bodies) expect((await server.ask(api, body)).status).toBe(200)
})

test("the error of a search without a price says what to set", async () => {
  const { web_search: _, ...unpriced } = price
  await using server = await ServerToolsServer.start({
    memberKey: { limit: 0.02 },
    endpoint: { price: unpriced }
  })
  for (const api of apis) {
    const { status, text } = await server.ask(api, search[api])
    expect(status).toBe(400)
    expect(text).toContain("price.web_search")
  }
})

test("a tool at an unknown price is served where the endpoint says that its calls are free", async () => {
  await using server = await ServerToolsServer.start({
    memberKey: { limit: 0.02 },
    endpoint: { serverTools: { maxInputTokens: 1_000, freeTools: ["file_search"] } }
  })
  const body = { tools: [{ type: "file_search", vector_store_ids: ["vs_1"] }] }
  expect((await server.ask("responses", body)).status).toBe(200)
})

const askAdvisor = (model: string) => ({
  tools: [{ type: "advisor_20260301", name: "advisor", model }]
})
const askUnheardOf = (model: string) => ({
  tools: [{ type: "unheard_of", parameters: { analysis_models: [model] } }]
})

describe("a tool that names a model", () => {
  const endpoint = {
    serverTools: { maxInputTokens: 1_000, freeTools: ["advisor_20260301", "unheard_of"] }
  }

  test("is refused under a limit where the catalog has no price for it, and the error says what to set", async () => {
    await using server = await ServerToolsServer.start({ memberKey: { limit: 0.02 }, endpoint })
    const bodies = [
      ["messages", askAdvisor("unknown")],
      ["responses", askUnheardOf("unknown")],
      ["chat", askUnheardOf("unknown")]
    ] as const
    for (const [api, asked] of bodies) {
      const { status, text } = await server.ask(api, asked)
      expect(status).toBe(400)
      expect(text).toContain("(unknown) at an unknown price: add an endpoint of the provider")
    }
    expect(server.requests.length).toBe(0)
    // The endpoint's own model has a price.
    expect((await server.ask("messages", askAdvisor("at-messages"))).status).toBe(200)
  })

  test("is served without a limit", async () => {
    await using server = await ServerToolsServer.start({ endpoint })
    expect((await server.ask("messages", askAdvisor("unknown"))).status).toBe(200)
  })
})

const toSearchCall = (type: string, at: number) => ({
  id: `ws_${at}`,
  type: "web_search_call",
  status: "completed",
  action: { type }
})

test("pages that a search of the Responses API opened are no searches", async () => {
  const output = [
    toSearchCall("search", 0),
    toSearchCall("open_page", 1),
    toSearchCall("find_in_page", 2)
  ]
  const usage = { input_tokens: 1_000, output_tokens: 100, total_tokens: 1_100 }
  await using server = await ServerToolsServer.start({
    script: (response) => {
      response.setHeader("content-type", "application/json")
      response.end(
        JSON.stringify({
          id: "r1",
          object: "response",
          created_at: 1,
          model: "at-responses",
          status: "completed",
          output: [...output, { id: "m1", type: "message", role: "assistant", content: [] }],
          usage
        })
      )
    }
  })
  const { body } = await server.ask("responses", search.responses)
  expect(Object(body).usage.cost).toBe(0.012)
})

const compactFirst: ServerToolsOptions["script"] = (response) => {
  const iterations = [
    { type: "compaction", input_tokens: 160_000, output_tokens: 3_500 },
    { type: "message", input_tokens: 20_000, output_tokens: 100 }
  ]
  response.setHeader("content-type", "application/json")
  response.end(
    JSON.stringify({
      id: "m1",
      type: "message",
      role: "assistant",
      model: "at-messages",
      content: [{ type: "text", text: "Calm." }],
      stop_reason: "end_turn",
      usage: { input_tokens: 20_000, output_tokens: 100, iterations }
    })
  )
}

const toWords = (words: number) => ({
  messages: [{ role: "user", content: "word ".repeat(words) }]
})

describe("a compaction before the answer", () => {
  const endpoint = { maxCompletionTokens: 4_000 }
  const compact = { context_management: { edits: [{ type: "compact_20260112" }] } }

  test("is charged with its summary, which the cap of the answer does not bound", async () => {
    await using server = await ServerToolsServer.start({ script: compactFirst, endpoint })
    const { body } = await server.ask("messages", { ...compact, ...toWords(32_000) })
    expect(Object(body).usage.cost).toBe(0.216)
  })

  test("does not exceed a limit: it is reserved besides the answer", async () => {
    await using server = await ServerToolsServer.start({
      script: compactFirst,
      endpoint,
      memberKey: { limit: 0.2 }
    })
    const refused = await server.ask("messages", { ...compact, ...toWords(32_000) })
    expect(refused.status).toBe(402)
    expect((await server.ask("messages", toWords(32_000))).status).toBe(200)
  })

  test("is not reserved for a prompt that is too short for it", async () => {
    await using server = await ServerToolsServer.start({ endpoint, memberKey: { limit: 0.005 } })
    expect((await server.ask("messages", compact)).status).toBe(200)
  })
})

test("an endpoint with serverTools: false runs none, with or without a limit", async () => {
  await using server = await ServerToolsServer.start({ endpoint: { serverTools: false } })
  for (const api of apis) {
    expect((await server.ask(api, {})).status).toBe(200)
    const { status, text } = await server.ask(api, search[api])
    expect(status).toBe(400)
    expect(text).toContain("serverTools")
  }
  expect(server.requests.length).toBe(apis.length)
})

test("a model that searches unasked reserves its searches too", async () => {
  await using server = await ServerToolsServer.start({
    memberKey: { limit: 0.02 },
    endpoint: { serverTools: { unasked: true } }
  })
  for (const api of apis) {
    const { status, text } = await server.ask(api, {})
    expect(status).toBe(402)
    expect(text).toContain("serverTools of the endpoint")
  }
})

test.each([false, true])(
  "a report with caches and a search stays as it is, streamed: %s",
  async (stream) => {
    await using server = await ServerToolsServer.start({
      counts: { input: 105, cacheWrite: 7_345, cacheRead: 7_123, output: 310, searches: 1 }
    })
    const { text } = await server.ask("messages", { ...search.messages, stream })
    expect(findUsage("messages", stream, text)).toMatchObject({
      input_tokens: 105,
      cache_creation_input_tokens: 7_345,
      cache_read_input_tokens: 7_123,
      output_tokens: 310,
      server_tool_use: { web_search_requests: 1, web_fetch_requests: 2 }
    })
  }
)

describe("a guardrail of models", () => {
  const forbidden = "gpt-forbidden"
  const named: ReadonlyArray<readonly [Api, object]> = [
    ["chat", { fallbacks: [forbidden] }],
    ["chat", { fallbacks: [{ model: forbidden, messages: [] }] }],
    ["chat", { fallbacks: [{ "proof/chat": [forbidden] }] }],
    ["chat", { fallback_model: forbidden }],
    ["chat", { context_window_fallbacks: [{ "proof/chat": [forbidden] }] }],
    ["chat", { context_window_fallback_dict: { "proof/chat": forbidden } }],
    ["chat", { extra_body: { models: [forbidden] } }],
    ["chat", { extra_body: { fallbacks: [forbidden] } }],
    ["messages", { tools: [{ type: "advisor_20260301", name: "advisor", model: forbidden }] }],
    ["responses", { tools: [{ type: "image_generation", model: forbidden }] }],
    ...apis.flatMap((api) => [
      [api, { tools: [{ type: "openrouter:advisor", parameters: { model: forbidden } }] }] as const,
      [
        api,
        { tools: [{ type: "openrouter:image_generation", parameters: { model: forbidden } }] }
      ] as const,
      [api, { tools: [{ type: "unheard_of", model: forbidden }] }] as const,
      [
        api,
        { tools: [{ type: "openrouter:fusion", parameters: { judge: { model: forbidden } } }] }
      ] as const
    ])
  ]

  test.each(named)(
    "holds for the model that a tool or a fallback names: %s %j",
    async (api, body) => {
      await using server = await ServerToolsServer.start()
      expect((await server.ask(api, body)).status).toBe(200)
      const { body: made } = await server.manage("/guardrails", {
        name: "models",
        allowed_models: apis.map((each) => `proof/${each}`)
      })
      await server.manage(`/guardrails/${Object(made).data.id}/assignments/members`, {
        member_user_ids: ["mem-1"]
      })
      expect((await server.ask(api, {})).status).toBe(200)
      const refused = await server.ask(api, body)
      expect(refused.status).toBe(404)
      expect(refused.text).toContain("allowed_models")
      // The provider's own name of an allowed model.
      const allowed = JSON.stringify(body).replaceAll(forbidden, `at-${api}`)
      expect((await server.ask(api, JSON.parse(allowed))).status).toBe(200)
    }
  )
})

test("a refused burst says what running requests hold, and when to come back", async () => {
  await using server = await ServerToolsServer.start({ memberKey: { limit: 0.003 } })
  const answers = await Promise.all(Array.from({ length: 20 }, () => server.ask("chat", {})))
  const refused = answers.filter(({ status }) => status === 402)
  expect(refused.length).toBeGreaterThan(0)
  for (const { body, headers } of refused) {
    expect(headers["retry-after"]).toBe("5")
    expect(Object(body).error).toMatchObject({
      message: expect.stringMatching(/reserved by \d running requests?: retry when/),
      metadata: { retry_after_seconds: 5 }
    })
    const { reserved_usd, running_requests } = Object(body).error.metadata
    expect(reserved_usd).toBeGreaterThan(0)
    expect(running_requests).toBeGreaterThan(0)
  }
})

test("an exhausted limit is no burst", async () => {
  await using server = await ServerToolsServer.start({
    counts: { input: 10, output: 100 },
    memberKey: { limit: 0.0012 }
  })
  expect((await server.ask("chat", {})).status).toBe(200)
  const { headers, status } = await server.ask("chat", {})
  expect(status).toBe(402)
  expect(headers).not.toHaveProperty("retry-after")
})

test("a short question needs little more than its bytes", async () => {
  // 100 tokens of answer at 0.00001 USD, and 200 tokens of prompt at 0.000001 USD.
  await using server = await ServerToolsServer.start({ memberKey: { limit: 0.0012 } })
  for (const api of apis) {
    await using fresh = await ServerToolsServer.start({ memberKey: { limit: 0.0012 } })
    expect((await fresh.ask(api, {})).status).toBe(200)
  }
  const content = "a".repeat(1_000)
  expect(
    (await server.ask("chat", { messages: [{ role: "user", content }], max_tokens: 1 })).status
  ).toBe(200)
})
