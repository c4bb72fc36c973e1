import { type ChatCallInput, makeChatCall } from "@signalbox/core/dialects"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { assert, describe, expect, it } from "@effect/vitest"
import { sendJson, startRecordingServer } from "@signalbox/testing/recording"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { google, type GoogleOptions } from "../src/index.ts"

const answer = {
  candidates: [{ content: { role: "model", parts: [{ text: "Yes." }] }, finishReason: "STOP" }],
  usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 2, thoughtsTokenCount: 3 },
  modelVersion: "gemini-3-flash-001"
}

const call: ChatCallInput = {
  model: "gemini-3-flash",
  messages: [
    { role: "system", content: "Be brief." },
    { role: "user", content: "Is it calm at sea?" }
  ],
  parameters: { max_tokens: 50, reasoning: { effort: "low" } },
  contentBytes: 100
}

const start = startRecordingServer((_, response) => sendJson(response, answer))

describe("google", () => {
  it.effect("sends chats to generateContent, with the key in a header", () =>
    Effect.gen(function* () {
      const server = yield* start
      const { chat } = google({ apiKey: "host-key", baseUrl: `${server.url}/v1beta` })
      const reply = yield* (chat ?? assert.fail()).complete(makeChatCall(call))
      expect(reply).toMatchObject({
        choices: [
          {
            answer: {
              parts: expect.arrayContaining([{ type: "text", text: "Yes." }]),
              end: { reason: "stop", nativeReason: "STOP" }
            }
          }
        ],
        usage: { inputTokens: 5, outputTokens: 5, reasoningTokens: 3 },
        model: "gemini-3-flash-001"
      })
      const [request] = server.requests
      assert.strictEqual(request?.url, "/v1beta/models/gemini-3-flash:generateContent")
      assert.strictEqual(request?.headers["x-goog-api-key"], "host-key")
      assert.isUndefined(request?.headers["authorization"])
      assert.deepStrictEqual(request?.json, {
        systemInstruction: { parts: [{ text: "Be brief." }] },
        contents: [{ role: "user", parts: [{ text: "Is it calm at sea?" }] }],
        generationConfig: {
          maxOutputTokens: 50,
          thinkingConfig: { thinkingLevel: "LOW", includeThoughts: true }
        }
      })
    }).pipe(Effect.provide(NodeHttpClient.layerUndici))
  )

  it.effect("tells each generation of models how to think in its own way, and no older one", () =>
    Effect.gen(function* () {
      const server = yield* start
      const { chat } = google({ apiKey: "host-key", baseUrl: server.url })
      const expected = {
        "gemini-3-pro": { thinkingLevel: "LOW", includeThoughts: true },
        "gemini-2.5-pro": { thinkingBudget: 4_000, includeThoughts: true },
        "gemini-2.0-flash": undefined
      }
      for (const [model, thinkingConfig] of Object.entries(expected)) {
        yield* (chat ?? assert.fail()).complete(
          makeChatCall({
            ...call,
            model,
            parameters: { ...call.parameters, max_tokens: 20_000 }
          })
        )
        const { generationConfig } = Object(server.requests.at(-1)?.json)
        assert.deepStrictEqual(generationConfig.thinkingConfig, thinkingConfig)
      }
    }).pipe(Effect.provide(NodeHttpClient.layerUndici))
  )

  it.effect("leaves room for thoughts in a Decision, which would use up its short cap", () =>
    Effect.gen(function* () {
      const server = yield* start
      const { decisions } = google({ apiKey: "host-key", baseUrl: server.url })
      const { decide } = decisions ?? assert.fail()
      yield* Effect.exit(
        decide({
          model: "gemini-3-pro",
          supportedParameters: undefined,
          state: "The server is down.",
          questions: { urgent: { type: "noul", instructions: "Is it urgent?" } },
          contentBytes: 100,
          onUsage: () => {}
        })
      )
      expect(server.requests[0]?.json).toMatchObject({
        generationConfig: { thinkingConfig: { thinkingLevel: "LOW" } }
      })
      const json = JSON.parse(server.requests[0]?.text ?? "{}")
      assert.isAbove(json.generationConfig.maxOutputTokens, 2_048)
    }).pipe(Effect.provide(NodeHttpClient.layerUndici))
  )

  it.effect("sends a customer's key in place of its own", () =>
    Effect.gen(function* () {
      const server = yield* start
      const { chat } = google({ apiKey: "host-key", baseUrl: server.url })
      yield* (chat ?? assert.fail()).complete(
        makeChatCall({ ...call, credential: Redacted.make("theirs") })
      )
      assert.strictEqual(server.requests[0]?.headers["x-goog-api-key"], "theirs")
    }).pipe(Effect.provide(NodeHttpClient.layerUndici))
  )

  it.effect("knows a bad key from a bad request, whose status is the same", () =>
    Effect.gen(function* () {
      const server = yield* startRecordingServer((_, response) =>
        sendJson(
          response,
          {
            error: {
              code: 400,
              status: "INVALID_ARGUMENT",
              message: "API key not valid",
              details: [
                { "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "API_KEY_INVALID" }
              ]
            }
          },
          400
        )
      )
      const { chat } = google({ apiKey: "host-key", baseUrl: server.url })
      const failure = yield* Effect.flip((chat ?? assert.fail()).complete(makeChatCall(call)))
      expect(failure).toMatchObject({ kind: "credential_refused", status: 400 })
    }).pipe(Effect.provide(NodeHttpClient.layerUndici))
  )

  it.each([
    [{}, "generativelanguage.googleapis.com needs one"],
    [{ apiKey: "" }, "apiKey is empty"],
    [{ apiKey: "k", baseUrl: "google" }, "baseUrl must be an address"],
    [{ apiKey: "k", maxImageTokens: -1 }, "maxImageTokens must be a whole number"],
    [{ apiKey: "k", minLabelMass: 2 }, "minLabelMass must be between 0 and 1"]
  ] satisfies ReadonlyArray<readonly [GoogleOptions, string]>)("refuses %j", (options, problem) => {
    assert.throws(() => google(options), RangeError, problem)
  })
})
