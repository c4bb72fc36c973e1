import { fault, reply, type Step, vectorOf } from "@signalbox/testing"
import { describe, expect, test } from "vitest"
import type { HttpResponse } from "../support/HttpResponse.ts"
import { pickHosts } from "../support/pickHosts.ts"
import { keys } from "../support/TestServer.ts"
import { embeddingRequest, startEmbeddingServer } from "./startEmbeddingServer.ts"

const hosts = pickHosts(import.meta.filename)
const inputs = embeddingRequest.input

const readVectors = (answer: HttpResponse): ReadonlyArray<unknown> => {
  const { data } = answer.body as { readonly data: ReadonlyArray<{ readonly embedding: unknown }> }
  return data.map(({ embedding }) => embedding)
}

const toBase64 = (numbers: ReadonlyArray<number>): string =>
  Buffer.from(Float32Array.from(numbers).buffer).toString("base64")

const paying = (tokens: number): Step =>
  reply.embeddings({ usage: { inputTokens: tokens, outputTokens: 0 } })

describe.each(hosts)("embeddings, against $name", (host) => {
  test("come in the order of the inputs, priced by them, and recorded", async () => {
    const { embed, first, get } = await startEmbeddingServer({ host })
    first.always(
      reply.embeddings({
        isReversed: true,
        id: "emb-7",
        model: "embed-20300101",
        usage: { inputTokens: 12, outputTokens: 0 }
      })
    )
    const answer = await embed({ user: "ann", session_id: "s-1", trace: { trace_name: "index" } })
    expect(answer.status).toBe(200)
    const { id } = answer.body as { readonly id: string }
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^gen-emb-/),
      object: "list",
      model: "proof/embed",
      data: inputs.map((input, index) => ({
        object: "embedding",
        index,
        embedding: vectorOf(input)
      })),
      usage: { prompt_tokens: 12, total_tokens: 12, cost: 0.000_012, is_byok: false }
    })
    expect(answer.headers["x-generation-id"]).toBe(id)
    expect(first.requests.map(({ body }) => body)).toEqual([
      { model: "proof/embed", input: inputs }
    ])
    const record = await get(`/generation?id=${id}`)
    expect(record.body).toMatchObject({
      data: {
        api_type: "embeddings",
        external_user: "ann",
        model: "proof/embed",
        upstream_model: "embed-20300101",
        provider_name: "first",
        session_id: "s-1",
        streamed: false,
        tokens_prompt: 12,
        tokens_completion: 0,
        total_cost: 0.000_012,
        upstream_id: "emb-7"
      }
    })
  })

  test.each(["float", "base64"] as const)(
    "come as asked when the provider sends %s",
    async (encoding) => {
      const { embed, first } = await startEmbeddingServer({ host })
      first.always(reply.embeddings({ encoding }))
      const vectors = inputs.map((input) => vectorOf(input))
      expect(readVectors(await embed())).toEqual(vectors)
      expect(readVectors(await embed({ encoding_format: "float" }))).toEqual(vectors)
      expect(readVectors(await embed({ encoding_format: "base64" }))).toEqual(vectors.map(toBase64))
    }
  )

  test.each([
    ["a text", "calm", ["calm"]],
    ["token ids", [1, 2, 3], [[1, 2, 3]]],
    ["lists of token ids", [[1], [2, 3]], [[1], [2, 3]]],
    [
      "contents",
      [{ content: [{ type: "text", text: "a" }] }],
      [{ content: [{ type: "text", text: "a" }] }]
    ]
  ])("take %s", async (_, input, each: ReadonlyArray<unknown>) => {
    const { embed, first } = await startEmbeddingServer({ host })
    expect(readVectors(await embed({ input }))).toEqual(each.map((item) => vectorOf(item)))
    expect(first.requests[0]?.body).toMatchObject({ input: each })
  })

  test("pass on what they are for, their length, and further parameters", async () => {
    const { embed, first } = await startEmbeddingServer({ host })
    const answer = await embed({ dimensions: 6, input_type: "search_query", truncate: "END" })
    expect(readVectors(answer)).toEqual(inputs.map((input) => vectorOf(input, 6)))
    expect(first.requests[0]?.body).toEqual({
      model: "proof/embed",
      input: inputs,
      dimensions: 6,
      input_type: "search_query",
      truncate: "END"
    })
  })

  test.each([
    ["is missing", fault.flawedEmbeddings("missing_vector")],
    ["is too many", fault.flawedEmbeddings("extra_vector")],
    ["comes twice", fault.flawedEmbeddings("repeated_index")],
    ["has another length", fault.flawedEmbeddings("wrong_length")],
    ["has no numbers", fault.flawedEmbeddings("not_a_number")],
    ["cannot be made", fault.status(500)]
  ])("come from the next endpoint of the model when a vector %s", async (_, step) => {
    const { embed, first, second } = await startEmbeddingServer({ host })
    first.always(step)
    expect(readVectors(await embed())).toEqual(inputs.map((input) => vectorOf(input)))
    expect([first.requests.length, second.requests.length]).toEqual([1, 1])
    second.always(step)
    expect((await embed()).status).toBeGreaterThanOrEqual(500)
  })

  test("come from the next endpoint when their length is not the requested one", async () => {
    const { embed, first } = await startEmbeddingServer({ host })
    first.always(reply.embeddings({ vectors: inputs.map(() => [1, 2]) }))
    expect(readVectors(await embed({ dimensions: 3 }))).toEqual(
      inputs.map((input) => vectorOf(input, 3))
    )
  })

  test("are not asked of an endpoint that is known not to shorten vectors", async () => {
    const { embed, first, second } = await startEmbeddingServer({ host, supportedParameters: [] })
    expect((await embed({ dimensions: 3, input_type: "search_query" })).status).toBe(200)
    expect([first.requests.length, second.requests.length]).toEqual([0, 1])
    expect((await embed({ input_type: "search_query" })).status).toBe(200)
    expect(first.requests[0]?.body).toEqual({ model: "proof/embed", input: inputs })
  })

  test("estimate their tokens where the provider tells none", async () => {
    const { embed, first, get } = await startEmbeddingServer({ host })
    first.always(reply.embeddings({ omitsUsage: true }))
    const answer = await embed({ input: ["a".repeat(400), "b"] })
    expect(answer.body).toMatchObject({
      usage: { prompt_tokens: 101, total_tokens: 101, cost: 0.000_101 }
    })
    const { id } = answer.body as { readonly id: string }
    expect((await get(`/generation?id=${id}`)).body).toMatchObject({ data: { tokens_prompt: 101 } })
  })

  test("show the tokens of each modality when there are two", async () => {
    const { embed, first } = await startEmbeddingServer({ host })
    const show = async (details: Readonly<Record<string, number>>) => {
      first.always(
        reply.embeddings({
          usage: { inputTokens: 12, outputTokens: 0 },
          usageDetails: { prompt_tokens_details: details }
        })
      )
      const { usage } = (await embed()).body as {
        readonly usage: Readonly<Record<string, unknown>>
      }
      return usage["prompt_tokens_details"]
    }
    expect(await show({ text_tokens: 2, image_tokens: 10, audio_tokens: 0 })).toEqual({
      text_tokens: 2,
      image_tokens: 10
    })
    expect(await show({ text_tokens: 12 })).toBeUndefined()
  })

  test("of 2048 texts are served, beyond a megabyte", async () => {
    const { embed, first } = await startEmbeddingServer({ host })
    const input = Array.from({ length: 2_048 }, (_, index) => `${index} `.padEnd(1_000, "x"))
    const answer = await embed({ input, encoding_format: "base64" })
    expect(answer.status).toBe(200)
    expect(readVectors(answer)).toEqual(input.map((text) => toBase64(vectorOf(text))))
    expect(first.requests).toHaveLength(1)
    const refused = await embed({ input: [...input, "one more"] })
    expect(refused.body).toMatchObject({
      error: { code: 400, message: expect.stringContaining("input: must have at most 2048") }
    })
  })

  test("of 1024 numbers each come whole, in numbers", async () => {
    const { embed } = await startEmbeddingServer({ host })
    const input = Array.from({ length: 300 }, (_, index) => `text ${index}`)
    const answer = await embed({ input, dimensions: 1_024 })
    expect(readVectors(answer)).toEqual(input.map((text) => vectorOf(text, 1_024)))
  })
})

describe.each(hosts)("embeddings in parts, against $name", (host) => {
  const five = ["a", "b", "c", "d", "e"]

  test("are asked of one endpoint, joined in order, and charged together", async () => {
    const { embed, first, second } = await startEmbeddingServer({ host, maxEmbeddingInputs: 2 })
    first.script(paying(10), paying(20), paying(30))
    const answer = await embed({ input: five })
    expect(readVectors(answer)).toEqual(five.map((input) => vectorOf(input)))
    expect(answer.body).toMatchObject({
      data: five.map((_, index) => ({ index })),
      usage: { prompt_tokens: 60, total_tokens: 60, cost: 0.000_06 }
    })
    expect(first.requests.map(({ body }) => body)).toMatchObject([
      { input: ["a", "b"] },
      { input: ["c", "d"] },
      { input: ["e"] }
    ])
    expect(second.requests).toHaveLength(0)
  })

  test.each([
    ["fails", fault.status(503)],
    ["has vectors of another length", reply.embeddings({ vectors: [[1], [2]] })]
  ])(
    "are asked of the next endpoint when a part %s, and what was used is charged",
    async (_, step) => {
      const { embed, first, second } = await startEmbeddingServer({ host, maxEmbeddingInputs: 2 })
      first.script(paying(10), step, paying(0))
      second.always(paying(100))
      const answer = await embed({ input: five })
      expect(readVectors(answer)).toEqual(five.map((input) => vectorOf(input)))
      expect(second.requests.map(({ body }) => body)).toMatchObject([{ input: five }])
      const { usage } = answer.body as { readonly usage: { readonly cost: number } }
      // 10 tokens of the first provider at least, and 100 of the second, which is twice as expensive.
      expect(usage.cost).toBeGreaterThanOrEqual(0.000_21)
      expect(first.requests.length).toBeGreaterThanOrEqual(2)
    }
  )
})

describe.each(hosts)("a request for embeddings, against $name", (host) => {
  test.each([
    [{ input: "" }, "input: must not be empty"],
    [{ input: [] }, "input: must have at least one item"],
    [{ input: null }, "input: must be a text"],
    [{ input: 7 }, "input: must be a text"],
    [{ input: ["a", ""] }, "input.1: must not be empty"],
    [{ input: ["a", 7] }, "input.1: must be a text"],
    [{ input: [1, -1] }, "input.1: must be the id of a token"],
    [{ input: [1, "a"] }, "input.1: must be the id of a token"],
    [{ input: [[1], []] }, "input.1: must be a list of token ids"],
    [{ input: [[1], [0.5]] }, "input.1.0: must be the id of a token"],
    [{ input: [{ text: "a" }] }, "input.0: must be a text, a list"],
    [{ input: [{ content: [{ text: "a" }] }] }, "input.0.content.0: must be an object with a type"],
    [
      { input: [{ content: [{ type: "image_url", image_url: { url: "http://10.0.0.1/a" } }] }] },
      "input.0.content.0.image_url.url: must not lead to a private"
    ],
    [{ dimensions: 0 }, "dimensions"],
    [{ dimensions: 1.5 }, "dimensions"],
    [{ encoding_format: "int8" }, "encoding_format"],
    [{ models: ["proof/chat"] }, "models: must be left out"],
    [{ stream: true }, "stream: must be left out"],
    [{ provider: { orders: [] } }, "provider.orders: unknown routing preference"],
    [{ session_id: "s".repeat(257) }, "session_id"],
    [{ model: "proof/unknown" }, "proof/unknown is not a valid model ID"]
  ])("with %j is invalid, and nothing is sent", async (changes, message) => {
    const { embed, first, second } = await startEmbeddingServer({ host })
    const answer = await embed(changes)
    expect(answer.body).toMatchObject({
      error: { code: 400, message: expect.stringContaining(message) }
    })
    expect(answer.status).toBe(400)
    expect([...first.requests, ...second.requests]).toEqual([])
  })

  test("is for models of its kind, and chats are not for these", async () => {
    const { embed, first, get, post, rank, second } = await startEmbeddingServer({ host })
    const chat = (model: string) =>
      post("/chat/completions", { model, messages: [{ role: "user", content: "Is it calm?" }] })
    for (const wrong of [
      await embed({ model: "proof/chat" }),
      await embed({ model: "proof/rank" }),
      await rank({ model: "proof/embed" }),
      await rank({ model: "proof/chat" }),
      await chat("proof/embed"),
      await chat("proof/rank"),
      await post("/systemone", {
        model: "proof/embed",
        state: "a",
        questions: { q: { type: "noul", instructions: "?" } }
      })
    ]) {
      expect(wrong.status).toBe(400)
      expect(wrong.body).toMatchObject({
        error: { message: expect.stringContaining("cannot be used with the") }
      })
      expect(wrong.text).toContain("wrong_endpoint")
    }
    expect([...first.requests, ...second.requests]).toEqual([])
    expect((await get("/models/count")).body).toEqual({ data: { count: 1 } })
  })

  test("needs credits and a key that runs models", async () => {
    const { embed, first, get, instance, post } = await startEmbeddingServer({
      host,
      credits: { default: "0.00001" }
    })
    expect((await embed()).status).toBe(402)
    expect((await post("/embeddings", embeddingRequest, { key: "" })).status).toBe(401)
    const management = await post("/embeddings", embeddingRequest, { key: keys.management })
    expect(management.status).toBe(403)
    expect(first.requests).toHaveLength(0)
    await instance.grantCredits("1")
    first.always(paying(1_000))
    expect((await embed()).status).toBe(200)
    expect((await get("/credits", keys.management)).body).toMatchObject({
      data: { total_usage: 0.001 }
    })
  })

  test("runs on a customer's own credential, which the provider bills", async () => {
    const { embed, first, get, rank } = await startEmbeddingServer({
      host,
      credits: { default: "0" },
      sealing: { current: "k", keys: { k: "a sealing key that nobody is going to guess" } },
      credentials: [{ provider: "first", key: "sk-of-a-customer" }]
    })
    first.always(paying(12))
    const answer = await embed()
    expect(answer.body).toMatchObject({ usage: { prompt_tokens: 12, cost: 0, is_byok: true } })
    const { id } = answer.body as { readonly id: string }
    expect((await get(`/generation?id=${id}`)).body).toMatchObject({
      data: { is_byok: true, total_cost: 0, upstream_inference_cost: 0.000_012 }
    })
    first.always(reply.ranking(undefined, { usage: { inputTokens: 12, outputTokens: 0 } }))
    expect((await rank()).body).toMatchObject({ usage: { total_tokens: 12, cost: 0 } })
    const sent = first.requests.map(({ headers }) => headers["authorization"])
    expect(sent).toEqual(["Bearer sk-of-a-customer", "Bearer sk-of-a-customer"])
  })

  test("obeys guardrails", async () => {
    const { call, embed, first } = await startEmbeddingServer({ host })
    const created = await call("/guardrails", {
      key: keys.management,
      body: JSON.stringify({ name: "Second only", ignored_providers: ["first"] })
    })
    expect(created.status).toBe(201)
    const { data } = created.body as { readonly data: { readonly id: string } }
    const assigned = await call(`/guardrails/${data.id}/assignments/members`, {
      key: keys.management,
      body: JSON.stringify({ member_user_ids: ["mem-1"] })
    })
    expect(assigned.status).toBe(200)
    expect((await embed({ provider: { only: ["first"] } })).status).toBe(404)
    expect((await embed()).status).toBe(200)
    expect(first.requests).toHaveLength(0)
  })

  test("is planned without a call", async () => {
    const { first, instance, post } = await startEmbeddingServer({ host })
    const planned = await post(
      "/signalbox/plan",
      { request: embeddingRequest },
      { key: keys.management }
    )
    expect(planned.body).toMatchObject({
      data: {
        models: ["proof/embed"],
        ordered: [{ provider: "first" }, { provider: "second" }]
      }
    })
    const explained = await instance.explain(embeddingRequest)
    expect(explained.ordered.map(({ provider }) => provider)).toEqual(["first", "second"])
    // Only the model tells which API this request is for, and embeddings of an empty text would be refused.
    const response = await instance.explain({ model: "proof/chat", input: "" })
    expect(response.models).toEqual(["proof/chat"])
    const one = await instance.explain({ model: "proof/embed", input: "a" })
    expect(one.models).toEqual(["proof/embed"])
    expect(first.requests).toHaveLength(0)
  })
})

describe.each(hosts)("the list of embedding models, against $name", (host) => {
  test("is public, and has no other models", async () => {
    const { get } = await startEmbeddingServer({ host })
    for (const key of ["", keys.member, "sk-unknown"]) {
      const list = await get("/embeddings/models", key)
      expect(list.status).toBe(200)
      expect(list.body).toMatchObject({
        data: [{ id: "proof/embed", architecture: { output_modalities: ["embeddings"] } }],
        links: { next: null },
        total_count: 1
      })
    }
    expect((await get("/embeddings/models?offset=1&limit=1", "")).body).toMatchObject({
      data: [],
      total_count: 1
    })
    expect((await get("/embeddings/models?limit=1001", "")).status).toBe(400)
    expect((await get("/models", "")).status).toBe(401)
    const listed = await get("/models?output_modalities=rerank")
    expect(listed.body).toMatchObject({ data: [{ id: "proof/rank" }], total_count: 1 })
  })
})

describe("embeddings in process", () => {
  test("are numbers, or text when asked for", async () => {
    const { first, instance } = await startEmbeddingServer()
    const numbers = await instance.embed({ model: "proof/embed", input: ["a", "b"] })
    const [one] = numbers.data
    expect(one?.embedding.map((number) => number)).toEqual(vectorOf("a"))
    const texts = await instance.embed({
      model: "proof/embed",
      input: "a",
      encoding_format: "base64"
    })
    expect(texts.data[0]?.embedding.length).toBe(toBase64(vectorOf("a")).length)
    first.always(fault.status(400, { message: "Too short" }))
    await expect(
      instance.embed({ ...embeddingRequest, input: "a" }, { caller: { user: "ann" } })
    ).rejects.toMatchObject({ status: 400 })
    await expect(
      instance.embed({ model: "proof/embed", input: "a" }, { signal: AbortSignal.abort() })
    ).rejects.toMatchObject({ name: "AbortError" })
  })
})
