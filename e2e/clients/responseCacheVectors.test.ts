/** The cache of responses by unmodified clients, for what is no chat: embeddings, reranks and Decisions. */
import { createOpenRouter } from "@openrouter/ai-sdk-provider"
import { reply } from "@signalbox/testing"
import { embed } from "ai"
import OpenAI from "openai"
import { describe, expect, onTestFinished, test } from "vitest"
import { rerankRequest, startEmbeddingServer } from "../embeddings/startEmbeddingServer.ts"
import { decisionMethods } from "../support/decisionMethods.ts"
import { hosts } from "../support/hosts.ts"
import { makeClient } from "../support/makeClient.ts"
import { keys, questions, TestServer } from "../support/TestServer.ts"

const headers = { "X-OpenRouter-Cache": "true" }
const usage = { inputTokens: 9, outputTokens: 0 }
const model = "proof/embed"
const input = "Is the sea calm?"

const twoHosts = hosts.filter(({ name }) => name === "Express 5" || name === "Fastify 5")

describe.each(twoHosts)("against $name", (host) => {
  const start = async () => {
    const server = await startEmbeddingServer({ host })
    return {
      ...server,
      countCalls: () => server.first.requests.length + server.second.requests.length
    }
  }

  test("openai embeds once, in floats and in base64", async () => {
    const { always, countCalls, root } = await start()
    const client = new OpenAI({
      apiKey: keys.member,
      baseURL: `${root}/api/v1`,
      defaultHeaders: headers,
      maxRetries: 0
    })
    for (const encoding of ["base64", "float"] as const) {
      always(reply.embeddings({ encoding, usage }))
      const before = countCalls()
      const ask = () =>
        client.embeddings.create({ model, input, encoding_format: encoding }).withResponse()
      const [first, second] = [await ask(), await ask()]
      expect(second.data.data).toEqual(first.data.data)
      expect([first.data.usage.total_tokens, second.data.usage.total_tokens]).toEqual([9, 0])
      expect(second.response.headers.get("x-openrouter-cache-status")).toBe("HIT")
      expect(countCalls() - before).toBe(1)
    }
  })

  test("the AI SDK embeds once", async () => {
    const { always, countCalls, root } = await start()
    always(reply.embeddings({ usage }))
    const provider = createOpenRouter({ apiKey: keys.member, baseURL: `${root}/api/v1`, headers })
    const ask = () =>
      embed({ model: provider.textEmbeddingModel(model), value: input, maxRetries: 0 })
    const [first, second] = [await ask(), await ask()]
    expect(second.embedding).toEqual(first.embedding)
    expect([first.usage.tokens, second.usage.tokens]).toEqual([9, 0])
    expect(countCalls()).toBe(1)
  })

  test("@openrouter/sdk embeds and reranks once", async () => {
    const { always, countCalls, root } = await start()
    const client = makeClient({ root }, keys.member)
    always(reply.embeddings({ vectors: [[0.5, 0.25]], usage }))
    const generate = () =>
      client.embeddings.generate({ requestBody: { model, input } }, { headers })
    expect(await generate()).toMatchObject({ data: [{ embedding: [0.5, 0.25] }] })
    expect(await generate()).toMatchObject({
      data: [{ embedding: [0.5, 0.25] }],
      usage: { promptTokens: 0, cost: 0 }
    })
    expect(countCalls()).toBe(1)
    always(reply.ranking([0.25, 0.5, 0.75], { usage }))
    const requestBody = { ...rerankRequest, provider: undefined, topN: 2 }
    const rank = () => client.rerank.rerank({ requestBody }, { headers })
    const [first, second] = [await rank(), await rank()]
    expect(second).toMatchObject({ results: Object(first).results, usage: { cost: 0 } })
    expect(countCalls()).toBe(2)
  })

  test("@openrouter/sdk decides once", async () => {
    const server = await TestServer.start({ host, method: decisionMethods[1]! })
    onTestFinished(() => server[Symbol.asyncDispose]())
    for (const upstream of Object.values(server.upstreams)) upstream.always(reply.decision({}))
    const client = makeClient(server, keys.member)
    const decide = () =>
      client.alpha.decisions.create(
        {
          decisionsRequest: {
            model: "proof/model",
            state: "I was charged twice!",
            questions: { urgent: questions.urgent }
          }
        },
        { serverURL: server.root, headers }
      )
    const [first, second] = [await decide(), await decide()]
    expect(second.answers).toEqual(first.answers)
    expect(second.id).not.toBe(first.id)
    expect(server.calls.first + server.calls.second).toBe(1)
  })
})
