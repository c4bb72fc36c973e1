/** Messages in the middle of a prompt that is too long are left out, in every API and at providers of every API. */
import { describe, expect, test } from "vitest"
import { DialectServer, memberKey } from "../dialects/DialectServer.ts"
import { providerDialects } from "../dialects/ProviderDialect.ts"
import { sendNative } from "../dialects/sendNative.ts"
import { speak } from "../dialects/speak.ts"
import { send } from "../support/send.ts"

const answers = speak({ said: [{ text: ["Calm."] }] })

/** About this many tokens. */
const say = (name: string, tokens = 1_500): string => `${name} ${"wave ".repeat((tokens * 4) / 5)}`

/** Twice what a small endpoint has room for, with a call and its result in the middle. */
const conversations = {
  chat: {
    path: "/api/v1/chat/completions",
    name: "messages",
    body: {
      messages: [
        { role: "system", content: "SYSTEM" },
        { role: "user", content: say("FIRST") },
        { role: "assistant", content: say("SECOND") },
        { role: "user", content: say("THIRD") },
        {
          role: "assistant",
          content: say("FOURTH"),
          tool_calls: [
            { id: "call_1", type: "function", function: { name: "look", arguments: "{}" } }
          ]
        },
        { role: "tool", tool_call_id: "call_1", content: say("FIFTH") },
        { role: "assistant", content: say("SIXTH") },
        { role: "user", content: "LAST" }
      ],
      tools: [
        {
          type: "function",
          function: { name: "look", parameters: { type: "object", properties: {} } }
        }
      ],
      max_tokens: 100
    }
  },
  messages: {
    path: "/api/v1/messages",
    name: "messages",
    body: {
      system: "SYSTEM",
      messages: [
        { role: "user", content: say("FIRST") },
        { role: "assistant", content: say("SECOND") },
        { role: "user", content: say("THIRD") },
        {
          role: "assistant",
          content: [
            { type: "text", text: say("FOURTH") },
            { type: "tool_use", id: "call_1", name: "look", input: {} }
          ]
        },
        {
          role: "user",
          content: [{ type: "tool_result", tool_use_id: "call_1", content: say("FIFTH") }]
        },
        { role: "assistant", content: say("SIXTH") },
        { role: "user", content: "LAST" }
      ],
      tools: [{ name: "look", input_schema: { type: "object", properties: {} } }],
      max_tokens: 100
    }
  },
  responses: {
    path: "/api/v1/responses",
    name: "input",
    body: {
      instructions: "SYSTEM",
      input: [
        { role: "user", content: say("FIRST") },
        { role: "assistant", content: say("SECOND") },
        { role: "user", content: say("THIRD") },
        { type: "message", role: "assistant", content: say("FOURTH") },
        { type: "function_call", call_id: "call_1", name: "look", arguments: "{}" },
        { type: "function_call_output", call_id: "call_1", output: say("FIFTH") },
        { role: "assistant", content: say("SIXTH") },
        { role: "user", content: "LAST" }
      ],
      tools: [{ type: "function", name: "look", parameters: { type: "object", properties: {} } }],
      max_output_tokens: 100
    }
  }
} as const
type Api = keyof typeof conversations
const apis = Object.keys(conversations) as ReadonlyArray<Api>

/** Each model has one endpoint of this length. */
const start = (contextLength: number) =>
  DialectServer.start({
    contextLength,
    answer: (request, response, dialect) => sendNative(answers[dialect], request, response)
  })

const ask = ({ root }: DialectServer, api: Api, body: object, headers = {}) =>
  send(`${root}${conversations[api].path}`, {
    body: JSON.stringify({ ...conversations[api].body, ...body }),
    headers: {
      authorization: `Bearer ${memberKey}`,
      "content-type": "application/json",
      ...headers
    }
  })

const names = ["SYSTEM", "FIRST", "SECOND", "THIRD", "FOURTH", "FIFTH", "SIXTH", "LAST"]

const findNames = (server: DialectServer) => {
  const text = JSON.stringify(server.requests.at(-1)?.json)
  return names.filter((name) => text.includes(name))
}

const plugins = [{ id: "context-compression" }]
const kept = ["SYSTEM", "FIRST", "SECOND", "LAST"]

describe.each(apis)("%s", (api) => {
  const left = (api === "messages" ? [2, 3, 4, 5] : api === "chat" ? [3, 4, 5, 6] : [2, 3, 4, 5, 6])
    .map((at) => `${conversations[api].name}.${at}`)
    .join(", ")

  test.each(
    providerDialects.flatMap((dialect) => [[dialect, false] as const, [dialect, true] as const])
  )("at a provider of %s, streamed: %s", async (dialect, stream) => {
    await using server = await start(9_000)
    const model = `proof/${dialect}`
    const refused = await ask(server, api, { model, stream })
    expect(refused.status).toBe(400)
    expect(refused.text).toContain("maximum context length")
    const answer = await ask(
      server,
      api,
      { model, stream, plugins },
      { "x-signalbox-strict": "true", "x-openrouter-metadata": "enabled" }
    )
    expect(answer.text).toContain(
      `"pipeline":[{"type":"context_compression","name":"context-compression","summary":"left ${left.split(", ").length} of `
    )
    expect([answer.status, answer.headers["x-signalbox-ignored"]]).toEqual([200, left])
    expect(findNames(server)).toEqual(kept)
    const id = answer.headers["x-generation-id"]
    if (id === undefined) return
    await expect.poll(() => server.findRecord(id)).toBeDefined()
    const record = await server.findRecord(id)
    expect(record?.attempts[0]?.dropped).toEqual(left.split(", "))
  })

  test("by its older name", async () => {
    await using server = await start(9_000)
    const answer = await ask(server, api, { model: "proof/chat", transforms: ["middle-out"] })
    expect([answer.status, answer.headers["x-signalbox-ignored"]]).toEqual([200, left])
  })

  test("unasked where the context is small, unless it is turned off", async () => {
    await using server = await start(8_192)
    const statuses: Array<number> = []
    for (const more of [
      {},
      { plugins: [{ ...plugins[0], enabled: false }] },
      { transforms: [] },
      { transforms: [], plugins }
    ]) {
      statuses.push((await ask(server, api, { model: "proof/chat", ...more })).status)
    }
    expect(statuses).toEqual([200, 400, 400, 200])
    const strict = await ask(server, api, { model: "proof/chat" }, { "x-signalbox-strict": "true" })
    expect(strict.status).toBe(400)
    expect(strict.text).toContain(`${conversations[api].name}.3`)
    expect(server.requests).toHaveLength(2)
  })

  test("not where what stays is too long", async () => {
    await using server = await start(150)
    const answer = await ask(server, api, { model: "proof/chat", plugins })
    expect(answer.status).toBe(400)
    expect(answer.text).toContain("context_length")
    expect(server.requests).toEqual([])
  })

  test("not where the prompt fits", async () => {
    await using server = await start(100_000)
    const answer = await ask(server, api, { model: "proof/chat", plugins })
    expect([answer.status, answer.headers["x-signalbox-ignored"]]).toEqual([200, undefined])
    expect(findNames(server)).toEqual(names)
  })
})
