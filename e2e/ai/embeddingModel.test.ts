import { CurrentCaller, SignalboxEmbeddingModel } from "@signalbox/core/ai"
import { fault, vectorOf } from "@signalbox/testing"
import * as EmbeddingModel from "effect/ai/EmbeddingModel"
import * as Effect from "effect/Effect"
import { describe, expect, test } from "vitest"
import { flipReason, startAi } from "./startAi.ts"

const embed = (text: string) => EmbeddingModel.EmbeddingModel.use((model) => model.embed(text))
const embedMany = (texts: ReadonlyArray<string>) =>
  EmbeddingModel.EmbeddingModel.use((model) => model.embedMany(texts))

/** The inputs of each request, in an order that does not depend on which came first. */
const listInputs = (requests: ReadonlyArray<{ readonly body: unknown }>) =>
  requests
    .map(({ body }) => JSON.stringify((body as { readonly input: unknown }).input))
    .toSorted((one, other) => (one < other ? -1 : 1))

describe("embedMany", () => {
  test("has a vector for each text, in their order, and the usage", async () => {
    const { run } = await startAi()
    const { embeddings, usage } = await run(embedMany(["sea", "__proto__", "wéll 🎬"]))
    expect(embeddings.map(({ vector }) => vector)).toEqual(
      ["sea", "__proto__", "wéll 🎬"].map((text) => vectorOf(text))
    )
    expect(usage.inputTokens).toBeGreaterThan(0)
  })

  test("comes from the next endpoint when the first one fails", async () => {
    const { first, run, second } = await startAi()
    first.always(fault.status(503))
    await run(embedMany(["sea"]))
    expect(second.requests).toHaveLength(1)
  })

  test("fails with the facts", async () => {
    const { first, run, second } = await startAi()
    first.always(fault.status(503))
    second.always(fault.status(503))
    expect(await run(flipReason(embedMany(["sea"])))).toMatchObject({
      _tag: "InternalProviderError",
      metadata: { signalbox: { error: "AttemptsFailed", status: 503 } }
    })
  })
})

describe("embed", () => {
  test("of several fibers is one request", async () => {
    const { first, run } = await startAi()
    const answers = await run(Effect.all(["sea", "wind"].map(embed), { concurrency: "unbounded" }))
    expect(answers.map(({ vector }) => vector)).toEqual(
      ["sea", "wind"].map((text) => vectorOf(text))
    )
    expect(listInputs(first.requests)).toEqual(['["sea","wind"]'])
  })

  test("does not share a request with another caller or with other settings", async () => {
    const { first, run } = await startAi()
    const other = embed("wind").pipe(Effect.provideService(CurrentCaller, { account: "acme" }))
    const short = embed("rain").pipe(SignalboxEmbeddingModel.withConfigOverride({ dimensions: 2 }))
    const calls = [embed("sea"), embed("sun"), other, short, short]
    await run(Effect.all(calls, { concurrency: "unbounded" }))
    expect(listInputs(first.requests)).toEqual(['["rain","rain"]', '["sea","sun"]', '["wind"]'])
  })
})
