/** Embedding, reranking and decision models of the AI SDK over an instance. */
import type {
  SignalboxDecisionModel,
  SignalboxDecisionOptions,
  SignalboxEmbeddingOptions,
  SignalboxImageOptions
} from "@signalbox/ai-sdk"
import type { Experimental_DecisionModelV4 as DecisionModelV4 } from "@ai-sdk/provider"
import { fault, imageOf, reply, vectorOf } from "@signalbox/testing"
import * as latest from "ai"
import { DownloadError, experimental_decide as decide } from "ai"
import * as lowest from "ai-lowest"
import { describe, expect, expectTypeOf, test } from "vitest"
import { getProperty } from "../support/getProperty.ts"
import { firstFirst, startAiSdk } from "./startAiSdk.ts"

type AiSdk = Pick<typeof latest, "embed" | "embedMany" | "generateImage" | "rerank">

const versions: ReadonlyArray<readonly [string, AiSdk]> = [
  ["ai", latest],
  // Their types differ in what no test uses.
  ["the lowest version of ai", lowest as unknown as AiSdk]
]

const texts = ["Is the sea calm?", "wéll 🎬"]
const usage = { inputTokens: 9, outputTokens: 0 }

describe.each(versions)("%s", (_, { embed, embedMany, generateImage, rerank }) => {
  test("makes images from others, at the second provider if the first fails", async () => {
    const { ai, findRecord, first, second } = await startAiSdk()
    first.always(fault.status(500))
    second.always(
      reply.images({ size: "1024x1024", usage: { inputTokens: 10, outputTokens: 1_000 } })
    )
    const signalbox = {
      provider: { order: ["first", "second"] },
      quality: "high"
    } satisfies SignalboxImageOptions
    const result = await generateImage({
      model: ai.imageModel("a/paint"),
      prompt: {
        text: "A lighthouse",
        images: [Buffer.from(imageOf("64x64"), "base64")]
      },
      n: 1,
      size: "1024x1024",
      maxRetries: 0,
      providerOptions: { signalbox }
    })
    expect(result.images.map(({ base64 }) => base64)).toEqual([imageOf("1024x1024")])
    expect(second.requests[0]?.raw).toContain('name="quality"')
    const metadata = getProperty(getProperty(result, "providerMetadata"), "signalbox")
    const facts = { model: "a/paint", provider: "second", cost: 0.004_02 }
    expect(metadata).toMatchObject({ images: [{ mediaType: "image/png", ...facts }] })
    const [made] = getProperty(metadata, "images") as ReadonlyArray<unknown>
    expect(await findRecord(getProperty(made, "generationId"))).toMatchObject({ cost: 4_020_000n })
    await expect(
      generateImage({ model: ai.imageModel("a/chat"), prompt: "A lighthouse", maxRetries: 0 })
    ).rejects.toMatchObject({ statusCode: 400, url: "signalbox:generateImages" })
  })

  test("embeds, at the second provider if the first fails", async () => {
    const { ai, findRecord, first, second } = await startAiSdk()
    first.always(fault.status(500))
    second.always(reply.embeddings({ usage }))
    const model = ai.embeddingModel("a/embed")
    const one = await embed({ model, value: texts[0]!, providerOptions: firstFirst })
    expect(one.embedding).toEqual(vectorOf(texts[0]!))
    expect(one.usage.tokens).toBe(9)
    const metadata = one.providerMetadata?.["signalbox"]
    expect(metadata).toMatchObject({
      model: "a/embed",
      provider: "second",
      cost: 0.000_018,
      routing: { attempt: 2 }
    })
    expect(await findRecord(metadata?.["generationId"])).toMatchObject({ cost: 18_000n })
    const many = await embedMany({ model, values: texts, providerOptions: firstFirst })
    expect(many.embeddings).toEqual(texts.map((text) => vectorOf(text)))
  })

  test("says what embeddings are for, and refuses options that are none", async () => {
    const { ai, first } = await startAiSdk()
    first.always(reply.embeddings({ usage }))
    const model = ai.embeddingModel("a/embed")
    const signalbox = {
      provider: { only: ["first"] },
      input_type: "search_query"
    } satisfies SignalboxEmbeddingOptions
    await embed({ model, value: "a", providerOptions: { signalbox } })
    expect(first.requests).toHaveLength(1)
    await expect(
      embed({ model, value: "a", providerOptions: { signalbox: { models: ["b"] } } })
    ).rejects.toThrow("models is no option; there are caller, input_type")
    await expect(
      embed({ model: ai.embeddingModel("a/chat"), value: "a", maxRetries: 0 })
    ).rejects.toMatchObject({ statusCode: 400, url: "signalbox:embed" })
  })

  test("reranks texts and objects, at the second provider if the first fails", async () => {
    const { ai, first, second } = await startAiSdk()
    first.always(fault.status(500))
    second.always(reply.ranking([0.25, 0.75], { usage }))
    const model = ai.rerankingModel("a/rank")
    const ranked = await rerank({
      model,
      query: "calm?",
      documents: texts,
      providerOptions: firstFirst
    })
    expect(ranked.ranking).toMatchObject([
      { originalIndex: 1, score: 0.75, document: texts[1] },
      { originalIndex: 0, score: 0.25 }
    ])
    expect(ranked.providerMetadata?.["signalbox"]).toMatchObject({ provider: "second" })
    const objects = await rerank({
      model,
      query: "calm?",
      documents: [{ waves: 1 }, { waves: 2 }],
      topN: 1,
      providerOptions: firstFirst
    })
    expect(objects.rerankedDocuments).toEqual([{ waves: 2 }])
    expect(second.requests.at(-1)?.raw).toContain(String.raw`{\"waves\":1}`)
  })
})

const questions = {
  calm: { type: "boolean", instructions: "Is it calm?" },
  sea: {
    type: "choice",
    instructions: "Which sea?",
    criteria: { north: "the North Sea", other: null }
  },
  waves: { type: "score", instructions: "How high?", criteria: ["flat", "low", "high"] }
} as const

describe("experimental_decide", () => {
  test("gets yes or no, a choice and a score with probabilities, at the second provider if the first fails", async () => {
    const { ai, findRecord, first, second } = await startAiSdk()
    first.always(fault.status(500))
    const decided = await decide({
      model: ai.decisionModel("a/chat"),
      state: { report: "waves of one metre" },
      questions,
      providerOptions: firstFirst
    })
    const { calm, sea, waves } = decided.answers
    expect(calm.probability).toBeCloseTo(2 / 3)
    expect(sea.choice).toBe("north")
    expect(sea.probabilities).toMatchObject({
      north: expect.closeTo(2 / 3),
      other: expect.closeTo(1 / 3)
    })
    expect(waves.score).toBeCloseTo(4 / 6)
    expect(Object.keys(waves.probabilities ?? {})).toEqual(["0", "1", "2"])
    expect(decided.usage.inputTokens).toBeGreaterThan(0)
    const metadata = decided.providerMetadata?.["signalbox"]
    expect(metadata).toMatchObject({
      provider: "second",
      answers: { calm: { type: "noul" } },
      routing: { attempt: 2 }
    })
    expect(await findRecord(metadata?.["generationId"])).toMatchObject({
      attempts: [{ outcome: "server_error" }, { outcome: "served" }]
    })
    expect(second.requests.length).toBeGreaterThan(0)
  })

  test("takes texts, JSON and images as its state, and describes what is left open", async () => {
    const { ai, first } = await startAiSdk()
    const decided = await decide({
      model: ai.decisionModel("a/chat"),
      state: [
        { type: "text", text: "A photo:" },
        { type: "file", mediaType: "image/png", data: new Uint8Array([0x89, 0x50, 0x4e, 0x47]) },
        { type: "json", value: { taken: "today" } }
      ],
      questions: {
        calm: { type: "boolean", criteria: { true: "no waves" } },
        waves: { type: "score", criteria: ["none", null] }
      },
      maxOutputTokens: 5,
      providerOptions: { signalbox: { provider: { only: ["first"] } } }
    })
    expect(decided.warnings).toMatchObject([
      { type: "unsupported", feature: "maxOutputTokens" },
      { type: "compatibility", feature: "criteria of the question calm" }
    ])
    const asked = first.requests.map(({ raw }) => raw).join("")
    expect(asked).toContain("data:image/png;base64,iVBORw==")
    expect(asked).toContain("A photo:")
    expect(asked).toContain("no waves")
  })

  test("refuses other files and other options", async () => {
    const { ai } = await startAiSdk()
    const model = ai.decisionModel("a/chat")
    const pdf = { type: "file", mediaType: "application/pdf", data: "JVBERi0=" } as const
    await expect(decide({ model, state: [pdf], questions })).rejects.toThrow(
      "Send texts, JSON and images."
    )
    await expect(
      decide({
        model,
        state: "a",
        questions,
        providerOptions: { signalbox: { calibraton: { mode: "off" } } }
      })
    ).rejects.toThrow("calibraton is no option; there are calibration, caller")
    const url = new URL("https://sea.example/a.png")
    await expect(
      decide({ model, state: [{ type: "file", mediaType: "image/png", data: url }], questions })
    ).rejects.toSatisfy((error) => DownloadError.isInstance(error))
  })

  test("a question may be named __proto__", async () => {
    const { ai } = await startAiSdk()
    const named = Object.fromEntries([["__proto__", questions.calm]])
    const { answers } = await decide({
      model: ai.decisionModel("a/chat"),
      state: "a",
      questions: named
    })
    expect(Object.keys(answers)).toEqual(["__proto__"])
  })

  test("a budget of its caller is enforced", async () => {
    const { ai, first, second } = await startAiSdk()
    const signalbox = {
      caller: { user: "ada", limit: 0.000_000_1 },
      calibration: { mode: "off" }
    } satisfies SignalboxDecisionOptions
    await expect(
      decide({
        model: ai.decisionModel("a/chat"),
        state: "a",
        questions,
        providerOptions: { signalbox }
      })
    ).rejects.toMatchObject({ statusCode: 402 })
    expect(first.requests.length + second.requests.length).toBe(0)
  })

  test("its model fits the interface of the AI SDK", () => {
    expectTypeOf<SignalboxDecisionModel>().toExtend<DecisionModelV4>()
  })
})
