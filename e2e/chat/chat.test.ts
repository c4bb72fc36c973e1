import type { AnswerEnd, AnswerEvent } from "@signalbox/core/dialects"
import { UpstreamFailure } from "@signalbox/core/upstream"
import type { ChatCapability, ChatEvent } from "@signalbox/core/upstream"
import { Signalbox } from "@signalbox/node"
import { BadRequestResponseError } from "@openrouter/sdk/models/errors"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { describe, expect, onTestFinished, test } from "vitest"
import { makeClient } from "../support/makeClient.ts"
import type { Host } from "../support/hosts.ts"
import { pickHosts } from "../support/pickHosts.ts"

const hosts = pickHosts(import.meta.filename)

const key = "sk-proof-member-5e1f9c"

const call = { id: "call-1", type: "function", function: { name: "look", arguments: '{"at":1}' } }

const makeChunk = (event: AnswerEvent, end?: AnswerEnd): ChatEvent => ({
  type: "delta",
  choices: [{ index: 0, events: [event], ...(end === undefined ? undefined : { end }) }]
})

const pieces: ReadonlyArray<ChatEvent> = [
  makeChunk({ type: "thought", key: "0", format: "unknown", text: "Hm.", isSummary: false }),
  makeChunk({ type: "text", text: "It " }),
  makeChunk({ type: "text", text: "is." }),
  makeChunk(
    {
      type: "call",
      call: { id: call.id, name: call.function.name, isCustom: false },
      text: call.function.arguments
    },
    { reason: "tool_calls" }
  ),
  {
    type: "end",
    usage: { inputTokens: 7, outputTokens: 5 },
    usageDetails: { completion_tokens_details: { reasoning_tokens: 2 } }
  }
]

const whole: ChatCapability = {
  estimateWorstCase: () => ({ inputTokens: 10, outputTokens: 10 }),
  complete: () =>
    Effect.succeed({
      choices: [
        {
          index: 0,
          answer: {
            parts: [
              { type: "text", text: "It is." },
              { type: "call", id: call.id, ...call.function }
            ],
            end: { reason: "tool_calls" }
          }
        }
      ],
      usage: { inputTokens: 7, outputTokens: 5 }
    }),
  stream: () => Stream.fromIterable(pieces)
}

const broken: ChatCapability = {
  ...whole,
  stream: () =>
    Stream.concat(
      Stream.make(makeChunk({ type: "text", text: "It " })),
      Stream.fromEffect(
        Effect.delay(Effect.fail(new UpstreamFailure({ kind: "overloaded", status: 503 })), 5)
      )
    )
}

const startServer = async (host: Host, chat: ChatCapability) => {
  const instance = await Signalbox.make({
    upstreams: [{ slug: "first", name: "First", chat }],
    models: [
      {
        id: "proof/chat",
        endpoints: [
          {
            provider: "first",
            price: { prompt: "0.001", completion: "0.001" },
            supportedParameters: ["tools", "temperature"]
          }
        ]
      }
    ],
    keys: [{ key, kind: "member", user: "ada" }]
  })
  const running = await host.start(instance, "/ai")
  onTestFinished(async () => {
    await running.close()
    await instance.close()
  })
  return makeClient({ root: `${running.origin}/ai` }, key)
}

const chatRequest = {
  model: "proof/chat",
  messages: [{ role: "user" as const, content: "Is it?" }],
  temperature: 0.1
}

type Sent = ReturnType<ReturnType<typeof makeClient>["chat"]["send"]>

const toCompletion = async (sent: Sent) => {
  const answer = await sent
  if (Symbol.asyncIterator in answer || !("choices" in answer)) throw new Error("it came in pieces")
  return answer
}

const toChunks = async (sent: Sent) => {
  const answer = await sent
  if (!(Symbol.asyncIterator in answer)) throw new Error("it came whole")
  const pieces = []
  for await (const piece of answer) pieces.push(piece)
  return pieces
}

describe.each(hosts)("the reference client, against $name", (host) => {
  test("completes a chat", async () => {
    const client = await startServer(host, whole)
    const { choices, usage } = await toCompletion(
      client.chat.send({ chatRequest: { ...chatRequest, stream: false } })
    )
    expect(choices[0]).toMatchObject({
      finishReason: "tool_calls",
      message: { role: "assistant", content: "It is.", toolCalls: [call] }
    })
    expect(usage).toMatchObject({ promptTokens: 7, completionTokens: 5, cost: 0.012 })
  })

  test("streams a chat", async () => {
    const client = await startServer(host, whole)
    const chunks = await toChunks(
      client.chat.send({
        chatRequest: { ...chatRequest, stream: true },
        xOpenRouterMetadata: "enabled"
      })
    )
    expect(chunks.flatMap(({ choices }) => choices)).toMatchObject([
      { delta: { role: "assistant", reasoning: "Hm." } },
      { delta: { content: "It " } },
      { delta: { content: "is." } },
      { delta: { toolCalls: [{ index: 0, ...call }] }, finishReason: "tool_calls" }
    ])
    const last = chunks.at(-1)
    expect(last?.usage).toMatchObject({
      totalTokens: 12,
      completionTokensDetails: { reasoningTokens: 2 },
      cost: 0.012
    })
    expect(last?.openrouterMetadata).toMatchObject({ attempt: 1 })
  })

  test("receives an error in the stream when the provider breaks off", async () => {
    const client = await startServer(host, broken)
    const chunks = await toChunks(
      client.chat.send({ chatRequest: { ...chatRequest, stream: true } })
    )
    expect(chunks).toMatchObject([
      { choices: [{ delta: { content: "It " } }] },
      {
        choices: [{ finishReason: "error" }],
        error: { code: 529, metadata: { errorType: "provider_overloaded" } }
      }
    ])
  })

  test("reads an error response", async () => {
    const client = await startServer(host, whole)
    const refused = client.chat.send({
      chatRequest: { ...chatRequest, model: "no/such", stream: true }
    })
    await expect(refused).rejects.toBeInstanceOf(BadRequestResponseError)
  })
})
