import { createOpenAI } from "@ai-sdk/openai"
import { OpenAIEmbeddings } from "@langchain/openai"
import { createOpenRouter } from "@openrouter/ai-sdk-provider"
import {
  BadRequestResponseError,
  PaymentRequiredResponseError
} from "@openrouter/sdk/models/errors"
import { fault, pace, reply, vectorOf } from "@signalbox/testing"
import { APICallError, embed, embedMany } from "ai"
import OpenAI, { BadRequestError } from "openai"
import { describe, expect, test } from "vitest"
import { rerankRequest, startEmbeddingServer } from "../embeddings/startEmbeddingServer.ts"
import { pickHosts } from "../support/pickHosts.ts"
import { makeClient } from "../support/makeClient.ts"
import { keys } from "../support/TestServer.ts"

interface ClientOptions {
  readonly apiKey: string
  readonly baseURL: string
}

const hosts = pickHosts(import.meta.filename)
const model = "proof/embed"
const texts = ["Is the sea calm?", "wéll 🎬"]
const vectors = texts.map((text) => vectorOf(text))

describe.each(hosts)("OpenAI's client, against $name", (host) => {
  test("reads embeddings, which it asks for in base64 unasked", async () => {
    const { always, root } = await startEmbeddingServer({ host })
    const client = new OpenAI({ apiKey: keys.member, baseURL: `${root}/api/v1`, maxRetries: 0 })
    for (const encoding of ["base64", "float"] as const) {
      always(reply.embeddings({ encoding, usage: { inputTokens: 9, outputTokens: 0 } }))
      const { data, usage } = await client.embeddings.create({ model, input: texts })
      expect(data.map(({ embedding }) => embedding)).toEqual(vectors)
      expect(usage).toMatchObject({ prompt_tokens: 9, total_tokens: 9 })
      const floats = await client.embeddings.create({
        model,
        input: texts,
        encoding_format: "float",
        dimensions: 4
      })
      expect(floats.data.map(({ embedding }) => embedding)).toEqual(vectors)
    }
    const refused = client.embeddings.create({ model: "proof/chat", input: texts })
    await expect(refused).rejects.toBeInstanceOf(BadRequestError)
  })
})

describe.each(hosts)("the AI SDK, against $name", (host) => {
  const makers = [
    [
      "@ai-sdk/openai",
      (options: ClientOptions, id: string) => createOpenAI(options).embeddingModel(id)
    ],
    [
      "@openrouter/ai-sdk-provider",
      (options: ClientOptions, id: string) => createOpenRouter(options).textEmbeddingModel(id)
    ]
  ] as const

  test.each(makers)("embeds with %s", async (_, makeModel) => {
    const { always, first, root } = await startEmbeddingServer({ host })
    const client = { apiKey: keys.member, baseURL: `${root}/api/v1` }
    const options = { model: makeModel(client, model), maxRetries: 0 }
    always(reply.embeddings({ isReversed: true, usage: { inputTokens: 9, outputTokens: 0 } }))
    const one = await embed({ ...options, value: "Is the sea calm?" })
    expect(one.embedding).toEqual(vectors[0])
    expect(one.usage.tokens).toBe(9)
    const many = await embedMany({ ...options, values: texts })
    expect(many.embeddings).toEqual(vectors)
    always(reply.embeddings())
    first.always(fault.flawedEmbeddings("missing_vector"))
    expect((await embedMany({ ...options, values: texts })).embeddings).toEqual(vectors)
    const wrong = embed({ ...options, model: makeModel(client, "proof/chat"), value: "a" })
    await expect(wrong).rejects.toSatisfy(
      (error) => APICallError.isInstance(error) && error.statusCode === 400
    )
  })
})

describe.each(hosts)("an aborted client, against $name", (host) => {
  test("aborts the embeddings of the provider", async () => {
    const { first, root, second } = await startEmbeddingServer({ host })
    const controller = new AbortController()
    for (const each of [first, second]) each.always(pace.hold(each.gate()))
    const embedding = embed({
      model: createOpenAI({ apiKey: keys.member, baseURL: `${root}/api/v1` }).embeddingModel(model),
      value: "Is the sea calm?",
      abortSignal: controller.signal,
      maxRetries: 0
    })
    const asked = Promise.race([first.waitForRequests(1), second.waitForRequests(1), embedding])
    await asked
    controller.abort()
    await expect(embedding).rejects.toThrow("aborted")
    await Promise.race([first.waitForAborts(1), second.waitForAborts(1)])
    expect(first.requests.length + second.requests.length).toBe(1)
  })
})

describe.each(hosts)("LangChain, against $name", (host) => {
  test("embeds documents in its batches, and a query", async () => {
    const { first, root, second } = await startEmbeddingServer({ host })
    const client = new OpenAIEmbeddings({
      model,
      apiKey: keys.member,
      maxRetries: 0,
      configuration: { baseURL: `${root}/api/v1` }
    })
    const many = Array.from({ length: 600 }, (_, index) => `text ${index}`)
    expect(await client.embedDocuments(many)).toEqual(many.map((text) => vectorOf(text)))
    expect([...first.requests, ...second.requests]).toHaveLength(2)
    expect(await client.embedQuery("Is the sea calm?")).toEqual(vectors[0])
  })
})

describe.each(hosts)("OpenRouter's client, against $name", (host) => {
  test("makes embeddings, and lists their models", async () => {
    const { always, root } = await startEmbeddingServer({ host })
    const client = makeClient({ root }, keys.member)
    always(
      reply.embeddings({
        vectors: [[0.5, 0.25]],
        usage: { inputTokens: 9, outputTokens: 0 },
        usageDetails: { prompt_tokens_details: { text_tokens: 4, image_tokens: 5 } }
      })
    )
    const input = [{ content: [{ type: "text" as const, text: "a" }] }]
    const made = await client.embeddings.generate({ requestBody: { model, input, user: "ann" } })
    expect(made).toMatchObject({
      object: "list",
      model,
      data: [{ object: "embedding", index: 0, embedding: [0.5, 0.25] }],
      usage: {
        promptTokens: 9,
        totalTokens: 9,
        cost: expect.any(Number),
        isByok: false,
        promptTokensDetails: { textTokens: 4, imageTokens: 5 }
      }
    })
    const refused = client.embeddings.generate({ requestBody: { model, input: "" } })
    await expect(refused).rejects.toBeInstanceOf(BadRequestResponseError)
    const pages = []
    for await (const page of await client.embeddings.listModels()) pages.push(page.result)
    expect(pages).toMatchObject([{ data: [{ id: model }], totalCount: 1, links: { next: null } }])
  })

  test("reranks", async () => {
    const { always, root } = await startEmbeddingServer({ host, credits: { default: "0.001" } })
    const client = makeClient({ root }, keys.member)
    always(reply.ranking([0.25, 0.5, 0.75], { usage: { inputTokens: 12, outputTokens: 0 } }))
    const requestBody = { ...rerankRequest, provider: undefined, topN: 2 }
    expect(await client.rerank.rerank({ requestBody })).toMatchObject({
      model: "proof/rank",
      results: [
        { index: 2, relevanceScore: 0.75, document: { text: "It is calm." } },
        { index: 1, relevanceScore: 0.5, document: { text: "wéll 🎬" } }
      ]
    })
    const documents = ["a".repeat(10_000)]
    const unpaid = client.rerank.rerank({ requestBody: { ...requestBody, documents } })
    await expect(unpaid).rejects.toBeInstanceOf(PaymentRequiredResponseError)
  })
})
