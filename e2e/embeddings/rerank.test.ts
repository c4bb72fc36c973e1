import { fault, reply } from "@signalbox/testing"
import { describe, expect, test } from "vitest"
import { pickHosts } from "../support/pickHosts.ts"
import { rerankRequest, startEmbeddingServer } from "./startEmbeddingServer.ts"

const hosts = pickHosts(import.meta.filename)

const [windy, well, calm] = [
  { text: "The wind is strong." },
  { text: "wéll 🎬" },
  { text: "It is calm." }
]

describe.each(hosts)("a rerank, against $name", (host) => {
  test("ranks the documents of the request, priced and recorded", async () => {
    const { first, get, rank } = await startEmbeddingServer({ host })
    first.always(
      reply.ranking([0.25, 0.5, 0.75], { id: "rr-7", usage: { inputTokens: 12, outputTokens: 0 } })
    )
    const answer = await rank({ user: "ann", max_tokens_per_doc: 64 })
    expect(answer.status).toBe(200)
    const { id } = answer.body as { readonly id: string }
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^gen-rerank-/),
      model: "proof/rank",
      provider: "first",
      results: [
        { index: 2, relevance_score: 0.75, document: calm },
        { index: 1, relevance_score: 0.5, document: well },
        { index: 0, relevance_score: 0.25, document: windy }
      ],
      usage: { total_tokens: 12, cost: 0.000_012 }
    })
    expect(first.requests.map(({ body }) => body)).toEqual([
      {
        model: "proof/rank",
        query: rerankRequest.query,
        documents: [windy, well, calm].map(({ text }) => text),
        top_n: 3,
        return_documents: false,
        max_tokens_per_doc: 64
      }
    ])
    expect((await get(`/generation?id=${id}`)).body).toMatchObject({
      data: { api_type: "rerank", external_user: "ann", tokens_prompt: 12, upstream_id: "rr-7" }
    })
  })

  test("returns the best, as many as asked", async () => {
    const { first, rank } = await startEmbeddingServer({ host })
    first.always(reply.ranking([0.25, 0.5, 0.75]))
    expect((await rank({ top_n: 1 })).body).toMatchObject({ results: [{ index: 2 }] })
    const all = (await rank({ top_n: 100 })).body as { readonly results: ReadonlyArray<unknown> }
    expect(all.results).toHaveLength(3)
    expect(first.requests.map(({ body }) => body)).toMatchObject([{ top_n: 1 }, { top_n: 3 }])
  })

  test("takes images", async () => {
    const { first, rank } = await startEmbeddingServer({ host })
    const image = "data:image/png;base64,AA=="
    const answer = await rank({ documents: [{ image }, "calm"] })
    expect(answer.body).toMatchObject({ results: [{ document: { image } }, {}] })
    expect(first.requests[0]?.body).toMatchObject({ documents: [{ image }, "calm"] })
  })

  test.each([
    ["is missing", fault.flawedRanking("missing_result")],
    ["comes twice", fault.flawedRanking("repeated_index")],
    ["is of no document", fault.flawedRanking("unknown_index")],
    ["has no score", fault.flawedRanking("not_a_number")],
    ["cannot be had", fault.status(500)]
  ])("is made by the next endpoint of the model when a result %s", async (_, step) => {
    const { first, rank, second } = await startEmbeddingServer({ host })
    first.always(step)
    expect((await rank()).body).toMatchObject({ provider: "second" })
    expect([first.requests.length, second.requests.length]).toEqual([1, 1])
  })

  test("estimates its tokens where the provider tells none", async () => {
    const { first, rank } = await startEmbeddingServer({ host })
    first.always(reply.ranking(undefined, { omitsUsage: true }))
    const answer = await rank({ query: "a".repeat(40), documents: ["b".repeat(400), "c"] })
    expect(answer.body).toMatchObject({ usage: { total_tokens: 121 } })
  })

  test.each([
    [{ query: "" }, "query"],
    [{ query: null }, "query"],
    [{ documents: [] }, "documents: must have at least one document"],
    [{ documents: "a" }, "documents: must be a list"],
    [{ documents: ["a", 7] }, "documents.1: must be a text, or an object"],
    [{ documents: [{}] }, "documents.0: must have text or image"],
    [{ documents: [{ title: "a" }] }, "documents.0.title: a document has text and image only"],
    [{ documents: [{ image: "file:///etc/passwd" }] }, "documents.0.image: must be an https"],
    [
      { documents: [{ image: "http://127.0.0.1/a" }] },
      "documents.0.image: must not lead to a private"
    ],
    [{ top_n: 0 }, "top_n"],
    [{ models: ["proof/chat"] }, "models: must be left out"],
    [{ stream: true }, "stream: must be left out"]
  ])("with %j is invalid, and nothing is sent", async (changes, message) => {
    const { first, rank, second } = await startEmbeddingServer({ host })
    const answer = await rank(changes)
    expect(answer.body).toMatchObject({
      error: { code: 400, message: expect.stringContaining(message) }
    })
    expect([...first.requests, ...second.requests]).toEqual([])
  })
})

describe("a rerank in process", () => {
  test("is planned, and made", async () => {
    const { first, instance } = await startEmbeddingServer()
    const { ordered } = await instance.explain(rerankRequest)
    expect(ordered.map(({ provider }) => provider)).toEqual(["first", "second"])
    expect(first.requests).toHaveLength(0)
    const { results } = await instance.rerank(rerankRequest, { caller: { user: "ann" } })
    expect(results.map(({ document }) => document)).toEqual([windy, well, calm])
  })
})
