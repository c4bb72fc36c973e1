import { makeChatCall } from "@signalbox/core/dialects"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { assert, describe, expect, it } from "@effect/vitest"
import { sendJson, startRecordingServer } from "@signalbox/testing/recording"
import * as Effect from "effect/Effect"
import { vertex, type VertexOptions } from "../src/index.ts"

const place = "projects/my-project/locations/us-central1"
const base: VertexOptions = {
  project: "my-project",
  location: "us-central1",
  token: () => "a-token-of-google"
}

const callOf = (model: string) =>
  makeChatCall({
    model,
    messages: [{ role: "user", content: "Is it calm at sea?" }],
    parameters: {},
    contentBytes: 100
  })

const answers = {
  generateContent: {
    candidates: [{ content: { parts: [{ text: "Yes." }] }, finishReason: "STOP" }]
  },
  rawPredict: {
    type: "message",
    content: [{ type: "text", text: "Yes." }],
    stop_reason: "end_turn"
  },
  completions: { choices: [{ message: { content: "Yes." }, finish_reason: "stop" }] }
}

const start = startRecordingServer(({ url = "" }, response) => {
  const [, answer] =
    Object.entries(answers).find(([name]) => url.endsWith(name)) ?? assert.fail(url)
  sendJson(response, answer)
})

describe("vertex", () => {
  it.effect("calls each model by its own API, with one token for all", () =>
    Effect.gen(function* () {
      const server = yield* start
      let tokens = 0
      const { chat } = vertex({
        ...base,
        baseUrl: server.url,
        token: async () => ({ token: `token-${++tokens}`, expiresAt: 3_600_000 })
      })
      const paths = {
        "gemini-3-flash": `/v1beta1/${place}/publishers/google/models/gemini-3-flash:generateContent`,
        "claude-opus-4-8@20260301": `/v1/${place}/publishers/anthropic/models/claude-opus-4-8@20260301:rawPredict`,
        "meta/llama-5": `/v1/${place}/endpoints/openapi/chat/completions`
      }
      for (const [model, path] of Object.entries(paths)) {
        const reply = yield* (chat ?? assert.fail()).complete(callOf(model))
        assert.deepStrictEqual(reply.choices[0]?.answer.parts, [{ type: "text", text: "Yes." }])
        const request = server.requests.at(-1)
        assert.strictEqual(request?.url, path)
        assert.strictEqual(request?.headers["authorization"], "Bearer token-1")
      }
      const [, claude] = server.requests
      assert.isUndefined(claude?.headers["anthropic-version"])
      expect(claude?.json).toMatchObject({ anthropic_version: "vertex-2023-10-16" })
      assert.notProperty(claude?.json, "model")
    }).pipe(Effect.provide(NodeHttpClient.layerUndici))
  )

  it("reads the reasoning of the family of each model", () => {
    const family = vertex(base).chat?.reasoningFamily
    if (typeof family !== "function") return assert.fail()
    assert.deepStrictEqual(["gemini-3-pro", "claude-opus-4-8@1", "meta/llama-5"].map(family), [
      "google",
      "anthropic",
      undefined
    ])
  })

  it.each([
    [{ ...base, project: "My Project" }, "project must be the id"],
    [{ ...base, location: "us central1" }, "location must be global"],
    [{ ...base, baseUrl: "vertex" }, "baseUrl must be an address"]
  ] satisfies ReadonlyArray<readonly [VertexOptions, string]>)("refuses %j", (options, problem) => {
    assert.throws(() => vertex(options), RangeError, problem)
  })

  it("asks for a token, because without one no call succeeds", () => {
    const { token: _, ...rest } = base
    // @ts-expect-error a caller without types
    assert.throws(() => vertex(rest), RangeError, "token is missing")
    assert.isDefined(vertex({ ...base, token: null }).chat)
  })
})
