import { type GenerateContentResponse, GoogleGenAI } from "@google/genai"
import { describe, expect, it } from "vitest"
import { checkGeminiEvents, fault, reply, type ScriptedUpstream } from "../src/index.ts"
import { post, startUpstream } from "./client.ts"
import { makeFullAnswer } from "./fullAnswer.ts"

const contents = [{ role: "user", parts: [{ text: "Hello" }] }]

const send = (upstream: ScriptedUpstream, method: string, body: object = {}) =>
  post(`${upstream.url}/v1beta/models/gemini-3-flash:${method}`, { contents, ...body })
const stream = async (upstream: ScriptedUpstream, body?: object) =>
  (await send(upstream, "streamGenerateContent?alt=sse", body)).text
const generate = async (upstream: ScriptedUpstream, body?: object) =>
  JSON.parse((await send(upstream, "generateContent", body)).text)

const full = makeFullAnswer({ id: "response-7", model: "gemini-3-flash-001" })

const calls = [
  {
    functionCall: { id: "call_1", name: "look_up", args: { word: "lighthouse keeper" } },
    thoughtSignature: "c2lnbmVkLWJ5LXRoZS1zY3JpcHQ="
  },
  { functionCall: { id: "call_2", name: "halt", args: {} } }
]
const usageMetadata = {
  promptTokenCount: 20,
  cachedContentTokenCount: 7,
  candidatesTokenCount: 7,
  thoughtsTokenCount: 2,
  totalTokenCount: 29
}

describe("Google's API to generate content", () => {
  it("answers prose without a script", async () => {
    const upstream = await startUpstream()
    expect(await generate(upstream)).toEqual({
      responseId: "response-1",
      modelVersion: "gemini-3-flash",
      candidates: [
        {
          index: 0,
          content: { role: "model", parts: [{ text: "All is well." }] },
          finishReason: "STOP"
        }
      ],
      usageMetadata: {
        promptTokenCount: Math.ceil(JSON.stringify({ contents }).length / 4),
        candidatesTokenCount: 3,
        totalTokenCount: Math.ceil(JSON.stringify({ contents }).length / 4) + 3
      }
    })
  })

  it("says everything that is scripted, to Google's client too", async () => {
    const upstream = await startUpstream()
    upstream.always(full)
    const { models } = new GoogleGenAI({
      apiKey: "test-key",
      httpOptions: { baseUrl: upstream.url }
    })
    const parts = [{ text: "Hm.", thought: true }, { text: "All is well." }, ...calls]
    const whole = {
      responseId: "response-7",
      modelVersion: "gemini-3-flash-001",
      candidates: [{ content: { role: "model", parts }, finishReason: "STOP" }],
      usageMetadata
    }
    const request = { model: "gemini-3-flash", contents: "Hello" }
    expect(await models.generateContent(request)).toMatchObject(whole)
    const chunks: Array<GenerateContentResponse> = []
    for await (const chunk of await models.generateContentStream(request)) chunks.push(chunk)
    expect(chunks.map(({ text = "" }) => text).join("")).toBe("All is well.")
    const streamed = chunks.flatMap(({ candidates }) => candidates?.[0]?.content?.parts ?? [])
    expect(streamed).toMatchObject([
      { text: "Hm.", thought: true },
      ...["All ", "is ", "well."].map((text) => ({ text })),
      ...calls,
      { text: "" }
    ])
    expect(chunks.at(-1)).toMatchObject({ candidates: [{ finishReason: "STOP" }], usageMetadata })
  })

  it("streams several candidates", async () => {
    const upstream = await startUpstream()
    const two = await stream(upstream, { generationConfig: { candidateCount: 2 } })
    expect(checkGeminiEvents(two)).toEqual([])
    expect(two.match(/"finishReason":"STOP"/g)).toHaveLength(2)
  })

  it("gives the probabilities that are asked for", async () => {
    const upstream = await startUpstream()
    upstream.always(reply.logprobs({ no: 0.25, yes: 0.75 }))
    const [yes, no] = [
      { token: "yes", tokenId: 0, logProbability: Math.log(0.75) },
      { token: "no", tokenId: 1, logProbability: Math.log(0.25) }
    ]
    const asked = { generationConfig: { responseLogprobs: true, logprobs: 2 } }
    expect((await generate(upstream, asked)).candidates).toMatchObject([
      {
        content: { parts: [{ text: "yes" }] },
        avgLogprobs: yes.logProbability,
        logprobsResult: { chosenCandidates: [yes], topCandidates: [{ candidates: [yes, no] }] }
      }
    ])
    expect((await generate(upstream)).candidates[0]).not.toHaveProperty("logprobsResult")
  })

  it("refuses by a finish reason, or blocks the prompt", async () => {
    const upstream = await startUpstream()
    upstream.script(fault.refusal(), fault.refusal("filter"))
    expect((await generate(upstream)).candidates).toMatchObject([
      { content: { parts: [{ text: "I can't help with that." }] }, finishReason: "SAFETY" }
    ])
    const blocked = await generate(upstream)
    expect(blocked).toMatchObject({ promptFeedback: { blockReason: "PROHIBITED_CONTENT" } })
    expect(blocked).not.toHaveProperty("candidates")
  })

  it.each([
    [400, "INVALID_ARGUMENT"],
    [401, "UNAUTHENTICATED"],
    [403, "PERMISSION_DENIED"],
    [404, "NOT_FOUND"],
    [422, "INVALID_ARGUMENT"],
    [429, "RESOURCE_EXHAUSTED"],
    [500, "INTERNAL"],
    [502, "INTERNAL"],
    [503, "UNAVAILABLE"],
    [504, "DEADLINE_EXCEEDED"],
    [529, "UNAVAILABLE"]
  ])("names a %i %s", async (code, status) => {
    const upstream = await startUpstream()
    upstream.script(fault.status(code, { message: "Sorry", retryAfter: 7 }))
    const answered = await send(upstream, "generateContent")
    expect([answered.status, answered.headers["retry-after"]]).toEqual([code, "7"])
    expect(JSON.parse(answered.text)).toEqual({ error: { code, message: "Sorry", status } })
  })

  it("says that a conversation is too long in the words of the API", async () => {
    const upstream = await startUpstream()
    upstream.script(fault.status(400, { kind: "context_length_exceeded" }))
    expect((await generate(upstream)).error).toMatchObject({
      message: expect.stringContaining("input token count"),
      status: "INVALID_ARGUMENT"
    })
  })

  it.each([
    [502, 502, "INTERNAL"],
    ["UNAVAILABLE", 503, "UNAVAILABLE"],
    ["server_error", 500, "INTERNAL"]
  ])("ends an answer with the error %s", async (scripted, code, status) => {
    const upstream = await startUpstream()
    upstream.always(fault.errorEvent(scripted, ["Half "]))
    const error = { error: { code, message: "Provider disconnected", status } }
    expect(await generate(upstream)).toEqual(error)
    const text = await stream(upstream)
    expect(text).toContain("Half ")
    expect(text.endsWith(`data: ${JSON.stringify(error)}\n\n`)).toBe(true)
  })

  it("answers at the paths of Vertex AI, and rejects a request without contents", async () => {
    const upstream = await startUpstream()
    const root = `${upstream.url}/v1beta1/projects/p/locations/global/publishers/google`
    const { text } = await post(`${root}/models/gemini-3-pro:generateContent`, { contents })
    expect(JSON.parse(text)).toMatchObject({ modelVersion: "gemini-3-pro" })
    const refused = await send(upstream, "generateContent", { contents: undefined })
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining("contents")])
  })
})
