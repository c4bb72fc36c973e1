import { ApiError, type Content, GoogleGenAI } from "@google/genai"
import { assert, describe, expect, it } from "@effect/vitest"
import { startRecordingServer } from "@signalbox/testing/recording"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { scaleRuns } from "../../../../../vitest.scope.ts"
import type { Part } from "../../../src/conversation/Part.ts"
import {
  encodeGeminiEvent,
  makeGeminiEventWriter,
  writeGeminiError
} from "../../../src/dialects/gemini/writeEvents.ts"
import { parseGeminiAnswer } from "../../../src/dialects/gemini/readAnswer.ts"
import { parseGeminiRequest } from "../../../src/dialects/gemini/parseRequest.ts"
import { writeGeminiAnswer } from "../../../src/dialects/gemini/writeAnswer.ts"
import { writeGeminiRequest } from "../../../src/dialects/gemini/writeRequest.ts"
import { answerParts, chatParts } from "./geminiArbitraries.ts"
import { answer, facts, type Json, readStream, toEvents, usage, writeDeltas } from "./streams.ts"
import { listDeltas } from "../readEvents.ts"

const model = "acme-m"
const sizes = fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 8 })

/** A client of a server that answers every request with the text that `respond` returns. */
const makeClient = Effect.fnUntraced(function* (respond: () => string, status = 200) {
  const server = yield* startRecordingServer((_, response) => {
    const text = respond()
    response.writeHead(status, {
      "content-type": text.startsWith("data:") ? "text/event-stream" : "application/json"
    })
    response.end(text)
  })
  const client = new GoogleGenAI({ apiKey: "test", httpOptions: { baseUrl: server.url } })
  return { client, server }
})

const encode = (events: ReadonlyArray<Json>) => events.map(encodeGeminiEvent).join("")

/** The error of a call that fails. */
const catchError = (run: () => Promise<unknown>) =>
  Effect.promise(() =>
    run().then(
      () => undefined,
      (error: unknown) => error
    )
  )

describe("Google's client", () => {
  it.effect("reads whole answers as they were said", () =>
    Effect.gen(function* () {
      let text = ""
      const { client } = yield* makeClient(() => text)
      yield* Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(answerParts, async (parts) => {
            const reply = Result.getOrThrow(
              parseGeminiAnswer(answer(parts, {}, { finishReason: "STOP" }))
            )
            text = JSON.stringify(writeGeminiAnswer(reply, { ...facts, usage }))
            const read = await client.models.generateContent({ model, contents: "hi" })
            expect(read.candidates?.[0]?.content?.parts).toEqual(JSON.parse(JSON.stringify(parts)))
            assert.strictEqual(read.candidates?.[0]?.finishReason, "STOP")
            assert.strictEqual(read.usageMetadata?.thoughtsTokenCount, 2)
            assert.strictEqual(read.responseId, "gen-1")
            assert.strictEqual(read.modelVersion, "acme/m")
          }),
          { numRuns: scaleRuns(300) }
        )
      )
    })
  )

  it.effect("sends streamed answers back as they were said, in a chat", () =>
    Effect.gen(function* () {
      let text = ""
      const { client, server } = yield* makeClient(() => text)
      yield* Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(chatParts, sizes, async (parts, cut) => {
            // Without open calls, because the user goes on.
            const said = parts.filter(({ functionCall }) => functionCall === undefined)
            fc.pre(said.length > 0)
            const deltas = listDeltas(readStream(toEvents(said, cut)).events)
            text = encode(writeDeltas(deltas))
            const chat = client.chats.create({ model })
            let last: string | undefined
            for await (const event of await chat.sendMessageStream({ message: "hi" })) {
              last = event.candidates?.[0]?.finishReason ?? last
            }
            assert.strictEqual(last, "STOP")
            for await (const _ of await chat.sendMessageStream({ message: "and?" })) {
              // Only what it sends counts.
            }
            const sent = server.requests.at(-1)?.json as Json
            const conversation = Result.getOrThrow(parseGeminiRequest(sent))
            const whole = Result.getOrThrow(
              parseGeminiRequest({
                contents: [
                  { role: "user", parts: [{ text: "hi" }] },
                  { role: "model", parts: said },
                  { role: "user", parts: [{ text: "and?" }] }
                ]
              })
            )
            expect(describeParts(conversation.turns[1]?.parts)).toEqual(
              describeParts(whole.turns[1]?.parts)
            )
          }),
          { numRuns: scaleRuns(100) }
        )
      )
    })
  )

  it.effect("asks in words that are understood, and written again as they were", () =>
    Effect.gen(function* () {
      const { client, server } = yield* makeClient(() => JSON.stringify(answer([{ text: "a" }])))
      const contents: Array<Content> = [
        { role: "user", parts: [{ text: "hi" }] },
        { role: "model", parts: [{ functionCall: { id: "a", name: "f", args: { x: 1 } } }] },
        {
          role: "user",
          parts: [{ functionResponse: { id: "a", name: "f", response: { output: "done" } } }]
        }
      ]
      yield* Effect.promise(() =>
        client.models.generateContent({
          model,
          contents,
          config: {
            systemInstruction: "be brief",
            temperature: 0.5,
            maxOutputTokens: 100,
            stopSequences: ["END"],
            responseMimeType: "application/json",
            responseJsonSchema: { type: "object" },
            thinkingConfig: { includeThoughts: true, thinkingBudget: 2_048 },
            tools: [
              {
                functionDeclarations: [{ name: "f", parametersJsonSchema: { type: "object" } }]
              },
              { googleSearch: {} }
            ]
          }
        })
      )
      const sent = server.requests.at(-1)?.json as Json
      const conversation = Result.getOrThrow(parseGeminiRequest(sent))
      expect(conversation).toMatchObject({
        turns: [
          { role: "system", parts: [{ type: "text", text: "be brief" }] },
          { role: "user" },
          { role: "assistant", parts: [{ type: "call", id: "a", arguments: '{"x":1}' }] },
          { role: "tool", parts: [{ callId: "a" }] }
        ],
        maxOutputTokens: 100,
        reasoning: { maxTokens: 2_048 }
      })
      expect(conversation.extra).toBeUndefined()
      const { systemInstruction, ...written } = Result.getOrThrow(
        writeGeminiRequest(conversation, { needsSignatures: false })
      )
      const { systemInstruction: instruction, ...asked } = sent
      expect(written).toEqual(asked)
      expect(instruction).toMatchObject(systemInstruction as Json)
    })
  )

  it.effect("throws the error that ends a stream, and the one that answers a request", () =>
    Effect.gen(function* () {
      const writer = makeGeminiEventWriter(facts)
      const text = encode([
        ...writer.write({
          type: "delta",
          choices: [{ index: 0, events: [{ type: "text", text: "a" }] }]
        }),
        ...writer.fail({ status: 503, message: "busy" })
      ])
      const streaming = yield* makeClient(() => text)
      const ended = yield* catchError(async () => {
        const stream = await streaming.client.models.generateContentStream({
          model,
          contents: "hi"
        })
        for await (const _ of stream) {
          // Until it throws.
        }
      })
      assert.instanceOf(ended, ApiError)
      assert.strictEqual(ended.status, 503)
      const body = JSON.stringify(writeGeminiError({ status: 404, message: "no such model" }))
      const refusing = yield* makeClient(() => body, 404)
      const refused = yield* catchError(() =>
        refusing.client.models.generateContent({ model, contents: "hi" })
      )
      assert.instanceOf(refused, ApiError)
      assert.strictEqual(refused.status, 404)
      assert.include(refused.message, "no such model")
    })
  )
})

/** Joins the pieces of parts: only the last piece of a text is signed. */
const describeParts = (parts: ReadonlyArray<Part> = []): ReadonlyArray<unknown> => {
  const joined: Array<Json> = []
  for (const part of parts) {
    const last = joined.at(-1)
    const isText = part.type === "text" || part.type === "reasoning"
    if (isText && last?.["type"] === part.type && last["signature"] === undefined) {
      const text = [last["text"], part.text].join("")
      joined[joined.length - 1] = { ...last, ...part, text }
    } else joined.push({ ...part })
  }
  return joined
}
