/** Decisions at endpoints with unknown parameters. */
import { assert, describe, it } from "@effect/vitest"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import type { DecisionCall, Question } from "@signalbox/core/upstream"
import * as Effect from "effect/Effect"
import { azureOpenai, openai, parameterLists } from "../src/index.ts"
import {
  type ChatRequest,
  getWeights,
  makeCall,
  makeScriptedEndpoint,
  type ScriptedReply
} from "./ScriptedEndpoint.ts"

const noul: Question = { type: "noul", instructions: "Is it urgent?" }
const call: DecisionCall = { ...makeCall({ urgent: noul }), supportedParameters: undefined }

const toErrorBody = (code: string | null) => ({
  status: 400,
  body: { error: { message: "response_format is not supported", code } }
})

/** A model that thinks before it answers, for as many tokens as requested, and is cut at the cap. */
const think =
  (tokens: number) =>
  ({ max_completion_tokens, max_tokens, reasoning_effort }: ChatRequest): ScriptedReply => {
    const cap = max_completion_tokens ?? max_tokens ?? Infinity
    const needed = reasoning_effort === "low" ? tokens / 4 : tokens
    return cap > needed + 10 ? { content: '{"q0": 0.75}' } : { content: "", finish: "length" }
  }

const traits = (options: Parameters<typeof openai>[0]) => {
  const { chat, decisions } = openai({ apiKey: "sk-of-the-house", ...options })
  return [chat?.checksParameters, decisions?.checksParameters]
}

describe("a Decision at an endpoint with unknown parameters", () => {
  it.effect("asks for stated probabilities", () =>
    Effect.gen(function* () {
      const endpoint = yield* makeScriptedEndpoint(() => ({ content: '{"q0": 0.75}' }))
      const reply = yield* endpoint.decide(call)
      assert.strictEqual(reply.method, "stated")
      assert.deepStrictEqual(getWeights(reply, "urgent"), [0.75, 0.25])
      const [request] = endpoint.listRequests()
      assert.strictEqual(request?.response_format?.type, "json_schema")
      assert.isNumber(request?.max_tokens)
      assert.isUndefined(request?.max_completion_tokens)
    })
  )

  it.effect.each([null, "unsupported_parameter"])(
    "asks for a discrete choice if the endpoint rejects a schema (%s)",
    (code) =>
      Effect.gen(function* () {
        const endpoint = yield* makeScriptedEndpoint(({ response_format }) =>
          response_format === undefined ? { content: '{"q0": 1}' } : toErrorBody(code)
        )
        const reply = yield* endpoint.decide(call)
        assert.strictEqual(reply.method, "discrete")
        assert.lengthOf(endpoint.requests, 2)
        const worst = openai({ baseUrl: endpoint.url }).decisions!.estimateWorstCase(call)
        assert.strictEqual(worst.requests, 2)
      })
  )

  it.effect("fails if the endpoint rejects the request for another reason", () =>
    Effect.gen(function* () {
      const body = { error: { message: "state is too rude" } }
      const endpoint = yield* makeScriptedEndpoint(() => ({ status: 400, body }))
      assert.strictEqual((yield* Effect.flip(endpoint.decide(call))).kind, "bad_request")
      assert.lengthOf(endpoint.requests, 1)
    })
  )

  it.effect("fails if the catalog lists schemas and the endpoint rejects one", () =>
    Effect.gen(function* () {
      const endpoint = yield* makeScriptedEndpoint(() => toErrorBody(null))
      const listed = makeCall({ urgent: noul }, ["structured_outputs"])
      const failure = yield* Effect.flip(endpoint.decide(listed))
      assert.strictEqual(failure.kind, "bad_request")
      assert.lengthOf(endpoint.requests, 1)
    })
  )

  it.effect("leaves a model that may reason room for that", () =>
    Effect.gen(function* () {
      const endpoint = yield* makeScriptedEndpoint(think(1_000))
      assert.deepStrictEqual(getWeights(yield* endpoint.decide(call), "urgent"), [0.75, 0.25])
    })
  )

  it.effect.each([
    ["gpt-5-mini", "low"],
    ["o4-mini", "low"],
    ["support-bot", "low"],
    ["gpt-5-chat-latest", undefined],
    ["gpt-4.1", undefined]
  ] as const)("of OpenAI's %s has the reasoning effort %s", ([model, effort]) =>
    Effect.gen(function* () {
      const endpoint = yield* makeScriptedEndpoint(think(effort === undefined ? 0 : 8_000))
      const models = { "support-bot": { isReasoning: true } }
      const azure = azureOpenai({ apiKey: "key", baseUrl: endpoint.url, models }).decisions!
      const asked = { ...call, model }
      const reply = yield* Effect.provide(azure.decide(asked), NodeHttpClient.layerUndici)
      assert.deepStrictEqual(getWeights(reply, "urgent"), [0.75, 0.25])
      const [request] = endpoint.listRequests()
      assert.strictEqual(request?.reasoning_effort, effort)
      assert.isUndefined(request?.max_tokens)
      assert.isAtMost(
        request?.max_completion_tokens ?? Infinity,
        azure.estimateWorstCase(asked).outputTokens
      )
    })
  )

  it("checksParameters is true for OpenAI itself and by option", () => {
    assert.deepStrictEqual(traits({}), [true, true])
    assert.deepStrictEqual(traits({ baseUrl: "https://api.openai.com/v1/" }), [true, true])
    assert.deepStrictEqual(traits({ checksParameters: false }), [undefined, undefined])
    assert.deepStrictEqual(traits({ baseUrl: "http://a.example" }), [undefined, undefined])
    assert.deepStrictEqual(traits({ baseUrl: "http://a.example", checksParameters: true }), [
      true,
      true
    ])
  })
})

describe("parameterLists", () => {
  it.each(Object.entries(parameterLists))("%s is in order and has no duplicates", (_, list) => {
    assert.deepStrictEqual(list, Array.from(new Set(list)).toSorted())
    assert.isTrue(Object.isFrozen(list))
  })
})
