/** Official clients, unmodified, redact and get contents back, whole and streamed, and know what a block is. */
import Anthropic from "@anthropic-ai/sdk"
import { createOpenRouter } from "@openrouter/ai-sdk-provider"
import { reply } from "@signalbox/testing"
import { generateText, streamText } from "ai"
import OpenAI from "openai"
import { describe, expect, test } from "vitest"
import { makeClient } from "../support/makeClient.ts"
import { fastify5, nodeHost } from "../support/hosts.ts"
import { keys } from "../support/TestServer.ts"
import { defaultGuardrail, startFilterServer } from "./startFilterServer.ts"

const model = "proof/chat"
const said = "I wrote to [EMAIL_1], not to carol@example.org."
const prompt = "Write to alice@example.com."

type Server = Awaited<ReturnType<typeof startFilterServer>>

interface Client {
  readonly name: string
  readonly ask: (server: Server, content: string) => Promise<string>
  readonly stream: (server: Server, content: string) => Promise<string>
  /** The error of a block. */
  readonly blocked: object
}

const message = "Request blocked by content filter: [CREDIT_CARD]"
const makeOpenAi = ({ root }: Server) =>
  new OpenAI({ apiKey: keys.member, baseURL: `${root}/v1`, maxRetries: 0 })
const makeAnthropic = ({ root }: Server) =>
  new Anthropic({ apiKey: keys.member, baseURL: root, maxRetries: 0 })
const makeModel = ({ root }: Server) =>
  createOpenRouter({ apiKey: keys.member, baseURL: `${root}/v1` }).chat(model)

const clients: ReadonlyArray<Client> = [
  {
    name: "openai, chats",
    ask: async (server, content) => {
      const { choices } = await makeOpenAi(server).chat.completions.create({
        model,
        messages: [{ role: "user", content }]
      })
      return choices[0]?.message.content ?? ""
    },
    stream: async (server, content) => {
      let text = ""
      for await (const { choices } of await makeOpenAi(server).chat.completions.create({
        model,
        messages: [{ role: "user", content }],
        stream: true
      })) {
        text += choices[0]?.delta.content ?? ""
      }
      return text
    },
    blocked: {
      constructor: OpenAI.PermissionDeniedError,
      status: 403,
      error: { code: 403, message }
    }
  },
  {
    name: "openai, responses",
    ask: async (server, input) =>
      (await makeOpenAi(server).responses.create({ model, input })).output_text,
    stream: async (server, input) => {
      let text = ""
      for await (const event of await makeOpenAi(server).responses.create({
        model,
        input,
        stream: true
      })) {
        if (event.type === "response.output_text.delta") text += event.delta
      }
      return text
    },
    blocked: {
      constructor: OpenAI.PermissionDeniedError,
      status: 403,
      error: { code: 403, message }
    }
  },
  {
    name: "anthropic",
    ask: async (server, content) => {
      const { content: blocks } = await makeAnthropic(server).messages.create({
        model,
        max_tokens: 100,
        messages: [{ role: "user", content }]
      })
      return blocks.map((block) => (block.type === "text" ? block.text : "")).join("")
    },
    stream: (server, content) =>
      makeAnthropic(server)
        .messages.stream({ model, max_tokens: 100, messages: [{ role: "user", content }] })
        .finalText(),
    blocked: {
      constructor: Anthropic.PermissionDeniedError,
      status: 403,
      error: { type: "error", error: { type: "permission_error", message } }
    }
  },
  {
    name: "the AI SDK with OpenRouter's provider",
    ask: async (server, prompt) =>
      (await generateText({ model: makeModel(server), prompt, maxRetries: 0 })).text,
    stream: async (server, prompt) => {
      let failed: unknown
      const { textStream } = streamText({
        model: makeModel(server),
        prompt,
        maxRetries: 0,
        onError: ({ error }) => {
          failed = error
        }
      })
      let text = ""
      for await (const delta of textStream) text += delta
      if (failed !== undefined) throw failed
      return text
    },
    blocked: {
      name: "AI_APICallError",
      statusCode: 403,
      message: expect.stringContaining(message)
    }
  }
]

const start = async (host: typeof nodeHost) => {
  const server = await startFilterServer({ host })
  server.provider
    .when(({ path }) => path.startsWith("/v1/chat"))
    .always(reply.chat(said.match(/.{1,4}/gs)!))
  // By the reference client.
  const { data } = await makeClient(
    { root: server.root.slice(0, -4) },
    keys.management
  ).guardrails.update({
    id: defaultGuardrail,
    updateGuardrailRequest: {
      contentFilterBuiltins: [
        { slug: "email", action: "redact" },
        { slug: "credit-card", action: "block" }
      ]
    }
  })
  expect(data.contentFilterBuiltins).toHaveLength(2)
  // The reference has no such field.
  await server.instance.guardrails.update({
    id: defaultGuardrail,
    content_filter_builtins: [
      { slug: "email", action: "redact", restore: true, scope: "both" },
      { slug: "credit-card", action: "block" }
    ]
  })
  return server
}

describe.each([nodeHost, fastify5])("against $name", (host) => {
  test.each(clients)("$name gets contents back, and answers redacted", async ({ ask, stream }) => {
    const server = await start(host)
    for (const say of [ask, stream]) {
      expect(await say(server, prompt)).toBe("I wrote to alice@example.com, not to [EMAIL].")
    }
    const sent = server.provider.requests.map(({ raw }) => raw)
    expect(sent).toHaveLength(2)
    for (const raw of sent) expect(raw).toContain("Write to [EMAIL_1].")
  })

  test.each(clients)("$name throws its own error for a block", async ({ ask, blocked, stream }) => {
    const server = await start(host)
    for (const say of [ask, stream]) {
      await expect(say(server, "Charge 4111 1111 1111 1111")).rejects.toMatchObject(blocked)
    }
    expect(server.provider.requests).toEqual([])
  })
})
