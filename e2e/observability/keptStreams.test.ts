/** What is kept of streams: of calls whose secrets come in pieces, and of answers that are cut off. */
import { reply } from "@signalbox/testing"
import { expect, onTestFinished, test } from "vitest"
import { decisionMethods } from "../support/decisionMethods.ts"
import { getProperty } from "../support/getProperty.ts"
import { send } from "../support/send.ts"
import { keys, TestServer, type TestServerOptions } from "../support/TestServer.ts"

const sealing = { current: "k1", keys: { k1: "a key that seals what customers write" } }
const chatMethod = decisionMethods.find(({ name }) => name === "logprobs") ?? decisionMethods[0]!

const start = async (options: TestServerOptions = {}) => {
  const server = await TestServer.start({
    sealing,
    method: {
      ...chatMethod,
      supportedParameters: [...chatMethod.supportedParameters, "tools"]
    },
    ...options
  })
  onTestFinished(() => server[Symbol.asyncDispose]())
  await server.instance.workspaces.update({ id: "default", keep_content: true })
  return server
}

const readContent = async ({ root }: TestServer, id: string | null | undefined) => {
  const { body } = await send(`${root}/api/v1/generation/content?id=${id}`, {
    method: "GET",
    headers: { authorization: `Bearer ${keys.management}` }
  })
  return getProperty(body, "data")
}

const makeBody = (changes: object = {}) =>
  JSON.stringify({
    model: "proof/model",
    messages: [{ role: "user", content: "Sign in." }],
    tools: [{ type: "function", function: { name: "sign_in_v2_now", parameters: {} } }],
    stream: true,
    provider: { only: ["first"] },
    ...changes
  })

const headers = { authorization: `Bearer ${keys.member}`, "content-type": "application/json" }

const stream = ({ root }: TestServer, path = "/chat/completions", changes = {}) =>
  send(`${root}/api/v1${path}`, { headers, body: makeBody(changes) })

const toEvent = (delta: object, finish_reason: string | null = null) => ({
  data: { id: "c", choices: [{ index: 0, delta, finish_reason }] }
})

/** A call whose arguments come in pieces of so many characters. */
const writeCall = (text: string, size: number) =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, at) => {
    const said = text.slice(at * size, (at + 1) * size)
    const call =
      at === 0
        ? { id: "call_2026abcdef12", type: "function", function: { name: "sign_in_v2_now" } }
        : {}
    const named = "function" in call ? call.function : {}
    return toEvent({ tool_calls: [{ index: 0, ...call, function: { ...named, arguments: said } }] })
  })

const ended = [toEvent({}, "tool_calls"), { data: "[DONE]" }]

const secrets = [
  "dapi0123456789abcdef0123456789abcdef",
  "hunter2hunter2",
  'correct horse \\battery" staple'
] as const
const [token, password, passphrase] = secrets
const call = JSON.stringify({ user: "ada", text: `with ${token}`, password, passphrase })

/** Everything but so little that it says nothing. */
const listBeginnings = () =>
  secrets.map((secret) => JSON.stringify(secret).slice(1, -1).slice(0, 13))

test.each([1, 3, 7, 1_000])(
  "a call in pieces of %i characters is kept without its secrets, by every API",
  async (size) => {
    const server = await start()
    server.upstreams.first.always(reply.events([...writeCall(call, size), ...ended]))
    const answers = [
      await stream(server),
      await stream(server, "/messages", {
        max_tokens: 50,
        tools: [{ name: "sign_in_v2_now", input_schema: { type: "object" } }]
      }),
      await stream(server, "/responses", {
        input: "Sign in.",
        messages: undefined,
        tools: [{ type: "function", name: "sign_in_v2_now", parameters: {} }]
      })
    ]
    for (const answer of answers) {
      expect(answer.status).toBe(200)
      const kept = JSON.stringify(await readContent(server, answer.headers["x-generation-id"]))
      expect(kept).toContain("ada")
      expect(kept).toContain("call_2026abcdef12")
      for (const beginning of listBeginnings()) expect(kept).not.toContain(beginning)
    }
  }
)

test("arguments that a provider broke off were kept with the beginnings of their secrets", async () => {
  const server = await start()
  for (let length = 1; length < call.length; length += 3) {
    server.upstreams.first.always(reply.events(writeCall(call.slice(0, length), 4)))
    const { headers: answered } = await stream(server)
    const content = await readContent(server, answered["x-generation-id"])
    expect(getProperty(content, "error")).toMatchObject({ message: "AttemptsFailed" })
    const kept = JSON.stringify(content)
    expect(kept).toContain("call_2026abcdef12")
    expect(kept).toContain("sign_in_v2_now")
    for (const beginning of listBeginnings()) expect(kept).not.toContain(beginning)
  }
})

test("an answer that is longer than what is kept ended with the beginning of a secret", async () => {
  const kept: Array<string> = []
  for (let at = 200; at < 1_200; at += 50) {
    const server = await start({ settings: { maxIoLogStreamCharacters: at } })
    const texts = Array.from(`The token is ${token}, and calm.`, (content) => toEvent({ content }))
    server.upstreams.first.always(reply.events([...texts, toEvent({}, "stop"), ended[1]!]))
    const { headers: answered } = await stream(server)
    kept.push(JSON.stringify(await readContent(server, answered["x-generation-id"])))
  }
  expect(kept.some((content) => content.includes("is_truncated"))).toBe(true)
  for (const content of kept) expect(content).not.toContain(token.slice(0, 13))
})

test("of a chat whose caller left, what it was sent is kept, without the beginning of a secret", async () => {
  const server = await start()
  const { first } = server.upstreams
  first.always(
    reply.events([
      toEvent({ content: "Calm, " }),
      toEvent({ content: token.slice(0, 30) }),
      first.gate(),
      ...ended
    ])
  )
  const controller = new AbortController()
  const response = await fetch(`${server.root}/api/v1/chat/completions`, {
    method: "POST",
    headers,
    body: makeBody(),
    signal: controller.signal
  })
  const decoder = new TextDecoder()
  let text = ""
  for await (const chunk of response.body!) {
    text += decoder.decode(chunk, { stream: true })
    if (text.includes("dapi")) break
  }
  controller.abort()
  await first.waitForAborts(1)
  const id = response.headers.get("x-generation-id")
  await expect
    .poll(() => readContent(server, id))
    .toMatchObject({
      input: { messages: [{ content: "Sign in." }] },
      output: { completion: "Calm, [redacted]" },
      error: { message: "Interrupted", provider_name: "First" }
    })
})
