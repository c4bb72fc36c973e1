import { assert, describe, it } from "@effect/vitest"
import type { EmbeddingCall } from "@signalbox/core/upstream"
import * as Result from "effect/Result"
import { writeGeminiEmbeddings } from "../src/writeGeminiEmbeddings.ts"

const call: EmbeddingCall = {
  model: "gemini-embedding-001",
  inputs: ["calm"],
  encoding: "float",
  parameters: {}
}
const write = (changes: Partial<EmbeddingCall>) =>
  Result.getOrThrow(writeGeminiEmbeddings({ ...call, ...changes }))
const refuse = (changes: Partial<EmbeddingCall>) =>
  Result.getOrThrow(Result.flip(writeGeminiEmbeddings({ ...call, ...changes })))

describe("requests for embeddings of Google's API", () => {
  it("say the model, the length, and what the vectors are for", () => {
    assert.deepStrictEqual(write({ dimensions: 256, inputType: "search_query" }), [
      {
        model: "models/gemini-embedding-001",
        content: { parts: [{ text: "calm" }] },
        taskType: "RETRIEVAL_QUERY",
        outputDimensionality: 256
      }
    ])
    assert.strictEqual(write({ inputType: "FACT_VERIFICATION" })[0]?.taskType, "FACT_VERIFICATION")
  })

  it("hold the bytes of media", () => {
    const content = [
      { type: "text", text: "calm" },
      { type: "image_url", image_url: { url: "data:image/png;base64,AA==" } },
      { type: "input_audio", input_audio: { data: "AAAA", format: "wav" } }
    ]
    assert.deepStrictEqual(write({ inputs: [{ content }] })[0]?.content.parts, [
      { text: "calm" },
      { inlineData: { mimeType: "image/png", data: "AA==" } },
      { inlineData: { mimeType: "audio/wav", data: "AAAA" } }
    ])
  })

  it("cannot say everything", () => {
    const link = { type: "image_url", image_url: { url: "https://pictures.example/a.png" } }
    for (const changes of [
      { inputs: [[1, 2]] },
      { inputs: [{ content: [link] }] },
      { inputType: "poetry" },
      { inputType: "constructor" },
      { parameters: { truncate: "END" } }
    ]) {
      assert.strictEqual(refuse(changes).kind, "unsupported_parameter", JSON.stringify(changes))
    }
  })
})
