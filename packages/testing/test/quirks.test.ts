import { describe, expect, onTestFinished, test } from "vitest"
import {
  findRefusal,
  quirkProviders,
  quirks,
  reply,
  ScriptedUpstream,
  type ScriptedUpstreamOptions
} from "../src/index.ts"
import { holds } from "../src/quirks/Condition.ts"

const start = async (options: ScriptedUpstreamOptions = {}) => {
  const server = await ScriptedUpstream.start(options)
  onTestFinished(() => server.close())
  const post = async (path: string, body: object) => {
    const response = await fetch(server.url + path, {
      method: "POST",
      headers: { "anthropic-version": "2023-06-01" },
      body: JSON.stringify(body)
    })
    return { status: response.status, text: await response.text() }
  }
  return { server, post }
}

const said = { role: "assistant", content: "No.", reasoning_content: "Hm." }
const chat = { model: "small", messages: [{ role: "user", content: "Is it calm?" }, said] }
const blank = {
  model: "claude-sonnet-4-5",
  max_tokens: 100,
  messages: [{ role: "user", content: [{ type: "text", text: "" }] }]
}

const refused = quirks.flatMap((row) => (row.kind === "refuses" ? [[row.id, row] as const] : []))

describe("the table of quirks", () => {
  test("has a name for each row, and an address for each source", () => {
    const ids = quirks.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const { id, source } of quirks) {
      expect(id).toMatch(/^[a-zA-Z]+\.[a-z0-9-]+$/)
      expect(source).toMatch(/^https:\/\//)
    }
  })

  test.each(refused)("says what %s is", (_, row) => {
    const { dialect, example: body, model: named, providers } = row
    const [provider] = providers
    const model = named ?? quirkProviders[provider].model
    expect(holds(row.when, body)).toBe(true)
    expect(holds(row.when, {})).toBe(false)
    expect(findRefusal(provider, dialect, { body, model })?.kind).toBe("refuses")
  })

  test("asks only after rows that have a whole answer", () => {
    const whole = quirks.flatMap((row) => (row.kind === "sends" && row.whole ? [row.id] : []))
    const after = quirks.flatMap((row) => (row.kind === "refuses" ? (row.asked.after ?? []) : []))
    expect(whole).toEqual(expect.arrayContaining(after))
  })
})

describe("a scripted server", () => {
  test("of a named provider refuses what the provider refuses, and takes no step for it", async () => {
    const { post, server } = await start({ quirks: "fireworks" })
    server.script(reply.chat("Yes."))
    const refused = await post("/v1/chat/completions", {
      ...chat,
      messages: [{ ...said, reasoning_details: [] }]
    })
    expect(refused).toEqual({ status: 400, text: expect.stringContaining("reasoning_details") })
    expect(await post("/v1/chat/completions", chat)).toMatchObject({
      status: 200,
      text: expect.stringContaining("Yes.")
    })
    expect(server.refusals.map(({ quirk, request }) => [quirk.id, request.at])).toEqual([
      ["fireworks.no-reasoning-details", 1]
    ])
    expect(server.requests).toHaveLength(2)
  })

  test("has Anthropic's refusals for its messages, unless configured otherwise", async () => {
    const usual = await start()
    expect(await usual.post("/v1/messages", blank)).toEqual({
      status: 400,
      text: expect.stringContaining("must be non-empty")
    })
    const lenient = await start({ quirks: false })
    expect(await lenient.post("/v1/messages", blank)).toMatchObject({ status: 200 })
  })

  test("refuses only the models that a row is about", async () => {
    const { post } = await start({ quirks: "openai" })
    const body = { ...chat, max_tokens: 10 }
    expect(await post("/v1/chat/completions", body)).toMatchObject({ status: 200 })
    expect(await post("/v1/chat/completions", { ...body, model: "gpt-5" })).toMatchObject({
      status: 400
    })
  })

  test("sends what a row says, whole or streamed as asked", async () => {
    const { post, server } = await start()
    const row = quirks.find(({ id }) => id === "vllm.reasoning")
    if (row?.kind !== "sends") throw new Error("there is no such row")
    server.always(reply.quirk(row))
    const { text } = await post("/v1/chat/completions", chat)
    expect(JSON.parse(text)).toEqual(row.whole)
    const streamed = await post("/v1/chat/completions", { ...chat, stream: true })
    expect(streamed.text).toContain('"delta":{"reasoning":"plan"}')
    expect(streamed.text).toMatch(/data: \[DONE\]\n\n$/)
  })
})
