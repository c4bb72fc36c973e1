/**
 * Answers that break off, or report no usage, are charged for what they showed, so that leaving early does not save
 * money.
 */
import { describe, expect, test } from "vitest"
import { whenReceived } from "../support/whenReceived.ts"
import {
  type Api,
  type Event,
  memberKey,
  price,
  ServerToolsServer,
  type ServerToolsOptions,
  writeEvents
} from "./ServerToolsServer.ts"

const search = {
  chat: { web_search_options: {} },
  messages: { tools: [{ type: "web_search_20250305", name: "web_search" }] },
  responses: { tools: [{ type: "web_search" }] }
}

const options: ServerToolsOptions = {
  instance: { credits: { default: "100" } },
  endpoint: {
    serverTools: { maxInputTokens: 20_000 },
    price: {
      ...price,
      overrides: [{ service_tier: "priority", prompt: "0.000002", completion: "0.00002" }]
    }
  }
}

const startMessage = (usage: object): Event => ({
  type: "message_start",
  message: {
    id: "m1",
    type: "message",
    role: "assistant",
    content: [],
    model: "at-messages",
    usage
  }
})
const callTool = (index: number, type: string, name: string): Event => ({
  type: "content_block_start",
  index,
  content_block: { type, id: `srvtoolu_${index}`, name, input: {} }
})
const sayText = (index: number): ReadonlyArray<Event> => [
  { type: "content_block_start", index, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index, delta: { type: "text_delta", text: "Calm." } }
]
const startResponse = (fields: object = {}): Event => ({
  type: "response.created",
  response: { id: "r1", object: "response", status: "in_progress", output: [], ...fields }
})
const addItem = (output_index: number, type: string): Event => ({
  type: "response.output_item.added",
  output_index,
  item: { id: `item_${output_index}`, type, status: "in_progress" }
})
const sayDelta = (output_index: number): Event => ({
  type: "response.output_text.delta",
  output_index,
  item_id: "msg_1",
  content_index: 0,
  delta: "Calm."
})
const chunk = (delta: object, fields: object = {}): Event => ({
  id: "c1",
  object: "chat.completion.chunk",
  model: "at-chat",
  choices: [{ index: 0, delta, finish_reason: null }],
  ...fields
})
const cited = {
  content: "Calm.",
  annotations: [{ type: "url_citation", url_citation: { url: "https://example.com", title: "t" } }]
}

/**
 * A stream that breaks after the instance has received `events`: the client leaves, or the connection of the provider
 * breaks.
 */
const breakOff = async (
  api: Api,
  events: ReadonlyArray<Event>,
  { body = {}, byClient }: { readonly body?: object; readonly byClient: boolean }
): Promise<number> => {
  const leaving = new AbortController()
  const received = whenReceived(`${JSON.stringify(events.at(-1))}\n\n`)
  await using server = await ServerToolsServer.start({
    ...options,
    script: (response) => {
      writeEvents(response, events)
      void received.then(() => (byClient ? leaving.abort() : response.destroy()))
    }
  })
  const question =
    api === "responses"
      ? { max_output_tokens: 100, input: "News?" }
      : { max_tokens: 100, messages: [{ role: "user", content: "News?" }] }
  const path = { chat: "chat/completions", messages: "messages", responses: "responses" }[api]
  try {
    const response = await fetch(`${server.root}/api/v1/${path}`, {
      method: "POST",
      signal: leaving.signal,
      headers: { "content-type": "application/json", authorization: `Bearer ${memberKey}` },
      body: JSON.stringify({ model: `proof/${api}`, ...question, ...body, stream: true })
    })
    await response.text()
  } catch {
    // The client has left.
  }
  await expect.poll(() => server.findSpent(), { timeout: 240_000 }).toBeGreaterThan(0)
  return server.findSpent()
}

/** Each costs 20,000 tokens of input, which is what the endpoint says of an answer, and the searches that it showed. */
const searching: ReadonlyArray<readonly [Api, string, ReadonlyArray<Event>, number]> = [
  [
    "messages",
    "a search of Anthropic's before its text",
    [
      startMessage({ input_tokens: 1_000, output_tokens: 1 }),
      callTool(0, "server_tool_use", "web_search")
    ],
    1
  ],
  [
    "messages",
    "two searches of Anthropic's and text",
    [
      startMessage({ input_tokens: 1_000, output_tokens: 1 }),
      callTool(0, "server_tool_use", "web_search"),
      callTool(1, "server_tool_use", "web_search"),
      ...sayText(2)
    ],
    2
  ],
  [
    "messages",
    "a fetch of Anthropic's, which has no fee",
    [
      startMessage({ input_tokens: 1_000, output_tokens: 1 }),
      callTool(0, "server_tool_use", "web_fetch"),
      ...sayText(1)
    ],
    0
  ],
  [
    "responses",
    "a search of OpenAI's before its text",
    [startResponse(), addItem(0, "web_search_call")],
    1
  ],
  [
    "responses",
    "three searches of OpenAI's and text",
    [
      startResponse(),
      addItem(0, "web_search_call"),
      addItem(1, "web_search_call"),
      addItem(2, "web_search_call"),
      sayDelta(3)
    ],
    3
  ],
  ["chat", "citations of a chat", [chunk(cited)], 1]
]

describe.each([true, false])("a stream that breaks off, by its client: %s", (byClient) => {
  test.each(searching)("by %s is charged for %s", async (api, what, events, searches) => {
    // A provider that fails before the first event charges nothing, and another endpoint answers.
    if (!byClient && what.includes("before its text")) return
    const spent = await breakOff(api, events, { body: search[api], byClient })
    expect(spent).toBeGreaterThanOrEqual(0.02 + searches * 0.01)
    expect(spent).toBeLessThan(0.0201 + searches * 0.01)
  })

  test("counts what Anthropic said at its beginning, and what followed", async () => {
    const spent = await breakOff(
      "messages",
      [
        startMessage({ input_tokens: 7, cache_read_input_tokens: 993, output_tokens: 1 }),
        ...sayText(0)
      ],
      { byClient }
    )
    expect(spent).toBeGreaterThanOrEqual(0.00102)
    expect(spent).toBeLessThan(0.00106)
  })

  test.each<readonly [Api, ReadonlyArray<Event>]>([
    ["chat", [chunk({ content: "Calm." }, { service_tier: "priority" })]],
    [
      "messages",
      [
        startMessage({ input_tokens: 10, output_tokens: 1, service_tier: "priority" }),
        ...sayText(0)
      ]
    ],
    ["responses", [startResponse({ service_tier: "priority" }), sayDelta(0)]]
  ])("by %s is charged by the tier that it had told", async (api, events) => {
    const usual = JSON.parse(JSON.stringify(events).replaceAll("priority", "default"))
    const [dear, cheap] = [
      await breakOff(api, events, { byClient }),
      await breakOff(api, usual, { byClient })
    ]
    expect(dear).toBeCloseTo(2 * cheap, 9)
  })
})

test.each([
  {
    api: "messages",
    answer: {
      id: "m1",
      type: "message",
      role: "assistant",
      content: [
        { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: {} },
        { type: "text", text: "Calm." }
      ],
      stop_reason: "end_turn"
    }
  },
  {
    api: "responses",
    answer: {
      id: "r1",
      status: "completed",
      output: [
        { type: "web_search_call", id: "ws_1", status: "completed" },
        {
          type: "message",
          role: "assistant",
          content: [{ type: "output_text", text: "Calm.", annotations: [] }]
        }
      ]
    }
  },
  {
    api: "chat",
    answer: {
      id: "c1",
      choices: [{ index: 0, message: { role: "assistant", ...cited }, finish_reason: "stop" }]
    }
  }
] as const)("a search of $api in an answer without usage is charged", async ({ answer, api }) => {
  await using server = await ServerToolsServer.start({
    ...options,
    script: (response) => {
      response.setHeader("content-type", "application/json")
      response.end(JSON.stringify(answer))
    }
  })
  expect((await server.ask(api, search[api])).status).toBe(200)
  const spent = await server.findSpent()
  expect(spent).toBeGreaterThanOrEqual(0.03)
  expect(spent).toBeLessThan(0.0301)
})

test.each([
  { prompt: 10, completion: 1, atLeast: 10 },
  { prompt: 0, completion: 0, atLeast: 5 }
])(
  "usage that comes before the text and never again does not count the text: $prompt and $completion",
  async ({ atLeast, completion, prompt }) => {
    await using server = await ServerToolsServer.start({
      ...options,
      script: (response) => {
        writeEvents(response, [
          chunk(
            { role: "assistant" },
            {
              usage: {
                prompt_tokens: prompt,
                completion_tokens: completion,
                total_tokens: prompt + completion
              }
            }
          ),
          chunk({ content: "It is calm at sea. ".repeat(40) }),
          { ...chunk({}), choices: [{ index: 0, delta: {}, finish_reason: "stop" }], usage: null }
        ])
        response.end("data: [DONE]\n\n")
      }
    })
    const { status, text } = await server.ask("chat", { stream: true, max_tokens: 1_000 })
    expect(status).toBe(200)
    const counts = /"prompt_tokens":(\d+),"completion_tokens":(\d+)/.exec(text)
    expect(Number(counts?.[1])).toBeGreaterThanOrEqual(atLeast)
    expect(Number(counts?.[2])).toBeGreaterThan(100)
  }
)

test("20 searches that are left one by one spend no more than the limit", async () => {
  let asked = 0
  await using server = await ServerToolsServer.start({
    endpoint: { serverTools: { maxInputTokens: 20_000, maxCalls: 1 } },
    memberKey: { limit: 0.2 },
    script: (response) => {
      asked++
      writeEvents(response, [
        startMessage({ input_tokens: 1_000, output_tokens: 1 }),
        callTool(0, "server_tool_use", "web_search"),
        ...sayText(1)
      ])
    }
  })
  const statuses: Array<number> = []
  for (let turn = 0; turn < 20; turn++) {
    const leaving = new AbortController()
    const response = await fetch(`${server.root}/api/v1/messages`, {
      method: "POST",
      signal: leaving.signal,
      headers: { "content-type": "application/json", authorization: `Bearer ${memberKey}` },
      body: JSON.stringify({
        model: "proof/messages",
        max_tokens: 100,
        messages: [{ role: "user", content: "News?" }],
        ...search.messages,
        stream: true
      })
    })
    statuses.push(response.status)
    const reader = response.body?.getReader()
    await reader?.read()
    leaving.abort()
    await reader?.cancel().catch(() => {})
  }
  expect(statuses).toContain(402)
  // The provider sells each for at most 20,000 tokens and one search.
  expect(asked * 0.03).toBeLessThanOrEqual(0.2)
})
