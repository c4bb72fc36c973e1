import { makeChatCall } from "@signalbox/core/dialects"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { assert, describe, expect, it } from "@effect/vitest"
import type { Questions } from "@signalbox/core"
import { type DecisionCall, deriveAnswer } from "@signalbox/core/upstream"
import { startRecordingServer, sendJson } from "@signalbox/testing/recording"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { inspect } from "node:util"
import {
  openrouter,
  openrouterCatalog,
  type OpenRouterCatalogOptions,
  type OpenRouterOptions
} from "../src/index.ts"

const questions: Questions = {
  urgent: { type: "noul", instructions: "Is it urgent?" },
  team: { type: "choice", instructions: ["Which?"], criteria: { billing: null, tech: "errors" } },
  tone: { type: "score", instructions: { how: "polite" }, criteria: ["rude", "neutral", "kind"] }
}

const answers = {
  urgent: { type: "noul", noul: 0.98 },
  team: {
    type: "choice",
    choice: "billing",
    confidence: 0.4,
    probabilities: { tech: 0.3, billing: 0.7 }
  },
  tone: {
    type: "score",
    score: 1.62,
    confidence: 0.5,
    probabilities: { "2": 0.7, "0": 0.08, "1": 0.22 },
    legend: { "0": "rude", "1": "neutral", "2": "kind" }
  }
}

const response = {
  id: "gen-dec-1-x",
  model: "typesafe/jev-1.13-20300101",
  provider: "TypeSafe",
  answers,
  usage: { input_tokens: 123, output_tokens: 4, cost: 0.000012345678912 }
}

const makeCall = (
  asked: Questions = questions,
  more: Partial<DecisionCall> = {}
): DecisionCall => ({
  model: "typesafe/jev-1.13",
  supportedParameters: new Set(),
  state: { text: "The server is down." },
  questions: asked,
  contentBytes: 500,
  onUsage: () => {},
  ...more
})

/** The result of one scripted response, and the request. */
const exchange = Effect.fnUntraced(function* (body: unknown, call = makeCall(), status = 200) {
  const server = yield* startRecordingServer((_, response) => sendJson(response, body, status))
  const upstream = openrouter({ apiKey: "sk-of-the-house", baseUrl: server.url })
  const result = yield* upstream
    .decisions!.decide(call)
    .pipe(Effect.result, Effect.provide(NodeHttpClient.layerUndici))
  return { result, requests: server.requests }
})

describe("openrouter", () => {
  it.each([
    { maxImageTokens: -1 },
    { maxImageTokens: 1.5 },
    { maxAudioTokens: -1 },
    { maxVideoTokens: 0.5 },
    { maxFileTokens: Number.NaN },
    { maxOutputTokens: 0 },
    { maxOutputTokens: Number.NaN }
  ])("rejects %j", (options) => {
    assert.throws(() => openrouter({ apiKey: null, ...options }), RangeError)
  })

  it.each([{ baseURL: "http://127.0.0.1:8000" }, { baseUrl: 5 }, "sk-1"])(
    "rejects %j instead of calling OpenRouter itself",
    (options) => {
      assert.throws(() => openrouter(options as OpenRouterOptions), /^openrouter/)
      assert.throws(
        () => openrouterCatalog(options as OpenRouterCatalogOptions),
        /^openrouterCatalog/
      )
    }
  )

  it.each([{}, { apiKey: undefined }, { apiKey: "" }, { baseUrl: "https://openrouter.ai/api/v1" }])(
    "rejects a missing key for OpenRouter itself: %j",
    (options) => {
      assert.throws(() => openrouter(options), RangeError, "is the variable that holds it set?")
    }
  )

  it("needs no key with customers' credentials, or at another base URL", () => {
    assert.strictEqual(openrouter({ apiKey: null }).slug, "openrouter")
    assert.strictEqual(openrouter({ baseUrl: "http://127.0.0.1:8000" }).slug, "openrouter")
  })

  it.each(["", "localhost:8000/v1", "127.0.0.1:8000/v1", "ftp://127.0.0.1/v1", "http://"])(
    "rejects the base URL %j",
    (baseUrl) => {
      assert.throws(() => openrouter({ baseUrl }), /^baseUrl must be an address/)
    }
  )

  it.effect.each(["", "/", "/api/v1", "/api/v1/", "/behind", "/behind/api/v1"])(
    "accepts the base URL of clients: %j",
    Effect.fnUntraced(function* (path) {
      const server = yield* startRecordingServer((_, answer) => sendJson(answer, response))
      const upstream = openrouter({ baseUrl: `${server.url}${path}` })
      yield* upstream.decisions!.decide(makeCall()).pipe(Effect.provide(NodeHttpClient.layerUndici))
      const mount = path.startsWith("/behind") ? "/behind" : ""
      assert.deepStrictEqual(
        server.requests.map(({ url }) => url),
        [`${mount}/api/alpha/decisions`]
      )
    })
  )

  it("reserves maxOutputTokens for an answer without a limit", () => {
    const call = makeChatCall({ model: "m", messages: [], contentBytes: 2 })
    assert.strictEqual(
      openrouter({ apiKey: null }).chat!.estimateWorstCase(call).outputTokens,
      128_000
    )
    const small = openrouter({ apiKey: null, maxOutputTokens: 9 }).chat!
    assert.strictEqual(small.estimateWorstCase(call).outputTokens, 9)
  })

  it("is OpenRouter itself by default, and does not show its key", () => {
    const upstream = openrouter({ apiKey: "sk-secret" })
    assert.strictEqual(upstream.slug, "openrouter")
    assert.strictEqual(upstream.name, "OpenRouter")
    assert.notInclude(JSON.stringify(upstream) + inspect(upstream, { depth: 9 }), "sk-secret")
    const other = openrouter({ apiKey: null, slug: "judge", name: "The judge" })
    assert.deepStrictEqual([other.slug, other.name], ["judge", "The judge"])
  })

  it.effect("posts model, state and questions, and nothing else", () =>
    Effect.gen(function* () {
      const { requests } = yield* exchange(response)
      assert.strictEqual(requests.length, 1)
      const [request] = requests
      assert.strictEqual(`${request!.method} ${request!.url}`, "POST /api/alpha/decisions")
      assert.strictEqual(request!.headers["authorization"], "Bearer sk-of-the-house")
      assert.isUndefined(request!.headers["x-session-id"])
      assert.deepStrictEqual(request!.json, {
        model: "typesafe/jev-1.13",
        state: { text: "The server is down." },
        questions
      })
    })
  )

  it.effect("uses the customer's credential, a Redacted key or none, at any base URL", () =>
    Effect.gen(function* () {
      const server = yield* startRecordingServer((_, reply) => sendJson(reply, response))
      const decide = (options: Parameters<typeof openrouter>[0], call: DecisionCall) =>
        openrouter({ baseUrl: `${server.url}/ai/`, ...options })
          .decisions!.decide(call)
          .pipe(Effect.provide(NodeHttpClient.layerUndici))
      const credential = Redacted.make("sk-of-the-customer")
      yield* decide({ apiKey: "sk-of-the-house" }, makeCall(questions, { credential }))
      yield* decide({ apiKey: Redacted.make("sk-redacted") }, makeCall())
      yield* decide({}, makeCall())
      assert.deepStrictEqual(
        server.requests.map(({ headers, url }) => [url, headers["authorization"]]),
        [
          ["/ai/api/alpha/decisions", "Bearer sk-of-the-customer"],
          ["/ai/api/alpha/decisions", "Bearer sk-redacted"],
          ["/ai/api/alpha/decisions", undefined]
        ]
      )
    })
  )

  it.effect("reads native answers in the order of the questions and their options", () =>
    Effect.gen(function* () {
      const { result } = yield* exchange(response)
      const reply = Result.getOrThrow(result)
      assert.deepStrictEqual(
        [...reply.verdicts],
        [
          ["urgent", { weights: [0.98, 1 - 0.98] }],
          ["team", { weights: [0.7, 0.3], native: { choice: "billing", confidence: 0.4 } }],
          ["tone", { weights: [0.08, 0.22, 0.7], native: { score: 1.62, confidence: 0.5 } }]
        ]
      )
      assert.strictEqual(reply.method, "native")
      assert.strictEqual(reply.model, "typesafe/jev-1.13-20300101")
      assert.deepStrictEqual(reply.usage, { inputTokens: 123, outputTokens: 4 })
      // 12345.678912 nano-USD, never rounded down
      assert.strictEqual(reply.cost, 12_346n)
      assert.isFalse(Object.hasOwn(reply, "labelMass"))
    })
  )

  const withAnswer = (name: string, answer: unknown) => ({
    ...response,
    answers: { ...answers, [name]: answer }
  })

  it.effect.each([
    { answer: { type: "choice", choice: "tech" }, weights: [0, 1], given: { choice: "tech" } },
    {
      answer: { type: "choice", choice: "billing", confidence: 0.25 },
      weights: [1, 0],
      given: { choice: "billing", confidence: 0.25 }
    },
    {
      // the choice of the upstream is kept, although it is not the most probable
      answer: { type: "choice", choice: "tech", probabilities: { billing: 0.6, tech: 0.4 } },
      weights: [0.6, 0.4],
      given: { choice: "tech" }
    }
  ])("reads the choice $answer", ({ answer, given: native, weights }) =>
    Effect.gen(function* () {
      const { result } = yield* exchange(withAnswer("team", answer))
      assert.deepStrictEqual(Result.getOrThrow(result).verdicts.get("team"), { weights, native })
    })
  )

  it.effect.each([
    { score: 0, weights: [1, 0, 0] },
    { score: 0.25, weights: [0.75, 0.25, 0] },
    { score: 1, weights: [0, 1, 0] },
    { score: 1.5, weights: [0, 0.5, 0.5] },
    { score: 2, weights: [0, 0, 1] }
  ])("splits the score $score between the levels next to it", ({ score, weights }) =>
    Effect.gen(function* () {
      const { result } = yield* exchange(withAnswer("tone", { type: "score", score }))
      const verdict = Result.getOrThrow(result).verdicts.get("tone")!
      assert.deepStrictEqual(verdict, { weights, native: { score } })
      const expectation = verdict.weights.reduce((sum, weight, level) => sum + weight * level, 0)
      assert.approximately(expectation, score, 1e-12)
    })
  )

  it.effect.each([
    { what: "cost 0", cost: 0, nano: 0n },
    { what: "a fraction of a nano-USD", cost: 1e-12, nano: 1n },
    { what: "a sum binary floats cannot hold", cost: 0.1, nano: 100_000_000n },
    { what: "the noise of 0.1 + 0.2", cost: 0.30000000000000004, nano: 300_000_000n },
    { what: "dollars", cost: 12, nano: 12_000_000_000n },
    { what: "no cost", cost: undefined, nano: undefined },
    { what: "a null cost", cost: null, nano: undefined },
    { what: "a negative cost", cost: -1, nano: undefined }
  ])("accepts $what", ({ cost, nano }) =>
    Effect.gen(function* () {
      const usage = { input_tokens: 1, output_tokens: 0, cost }
      const { result } = yield* exchange({ ...response, usage })
      assert.strictEqual(Result.getOrThrow(result).cost, nano)
    })
  )

  const { tone: _, ...missing } = answers
  const wrong: ReadonlyArray<{ readonly what: string; readonly body: unknown }> = [
    { what: "a missing answer", body: { ...response, answers: missing } },
    { what: "an extra answer", body: withAnswer("more", { type: "noul", noul: 1 }) },
    {
      what: "another question's name",
      body: { ...response, answers: { ...missing, other: answers.tone } }
    },
    { what: "answers in a list", body: { ...response, answers: [1, 2, 3] } },
    { what: "another type", body: withAnswer("urgent", answers.team) },
    { what: "no type", body: withAnswer("urgent", { noul: 0.5 }) },
    { what: "null", body: withAnswer("urgent", null) },
    { what: "a noul above 1", body: withAnswer("urgent", { type: "noul", noul: 1.01 }) },
    { what: "a noul below 0", body: withAnswer("urgent", { type: "noul", noul: -0.01 }) },
    { what: "a noul in words", body: withAnswer("urgent", { type: "noul", noul: "0.5" }) },
    { what: "an unknown label", body: withAnswer("team", { type: "choice", choice: "sales" }) },
    {
      what: "a label of the prototype",
      body: withAnswer("team", { type: "choice", choice: "toString" })
    },
    { what: "a choice without a label", body: withAnswer("team", { type: "choice" }) },
    {
      what: "a label without a probability",
      body: withAnswer("team", { ...answers.team, probabilities: { billing: 1 } })
    },
    {
      what: "a probability of no label",
      body: withAnswer("team", { ...answers.team, probabilities: { billing: 1, tech: 0, x: 0 } })
    },
    {
      what: "another label's probability",
      body: withAnswer("team", { ...answers.team, probabilities: { billing: 1, toString: 0 } })
    },
    {
      what: "a negative probability",
      body: withAnswer("team", { ...answers.team, probabilities: { billing: 1, tech: -0.1 } })
    },
    {
      what: "probabilities that sum to 2",
      body: withAnswer("team", { ...answers.team, probabilities: { billing: 1, tech: 1 } })
    },
    { what: "a confidence above 1", body: withAnswer("team", { ...answers.team, confidence: 2 }) },
    { what: "a score above the top", body: withAnswer("tone", { type: "score", score: 2.1 }) },
    { what: "a score below 0", body: withAnswer("tone", { type: "score", score: -0.1 }) },
    {
      what: "a level too many",
      body: withAnswer("tone", {
        type: "score",
        score: 1,
        probabilities: { "0": 1, "1": 0, "2": 0, "3": 0 }
      })
    },
    {
      what: "levels by name",
      body: withAnswer("tone", {
        type: "score",
        score: 1,
        probabilities: { rude: 1, neutral: 0, kind: 0 }
      })
    },
    { what: "no model", body: { ...response, model: undefined } },
    { what: "no answers", body: { ...response, answers: undefined } }
  ]
  it.effect("accepts probabilities rounded to two decimals", () =>
    Effect.gen(function* () {
      const probabilities = { billing: 0.7, tech: 0.29 }
      const { result } = yield* exchange(withAnswer("team", { ...answers.team, probabilities }))
      const team = Result.getOrThrow(result).verdicts.get("team")
      assert.deepStrictEqual(team?.weights, [0.7, 0.29])
    })
  )

  it.effect.each(wrong)("rejects with the usage: $what", ({ body }) =>
    Effect.gen(function* () {
      const { requests, result } = yield* exchange(body)
      assert.isTrue(Result.isFailure(result))
      expect(Result.isFailure(result) && result.failure).toMatchObject({
        kind: "invalid_answer",
        usage: { inputTokens: 123, outputTokens: 4 }
      })
      assert.strictEqual(requests.length, 1)
    })
  )

  it.effect.each([
    { body: null, failure: { kind: "invalid_answer" } },
    { body: "pong", failure: { kind: "invalid_answer" } },
    { body: { ...response, usage: undefined }, failure: { kind: "invalid_answer" } },
    {
      body: { ...response, usage: { input_tokens: 1.5, output_tokens: 1 } },
      failure: { kind: "invalid_answer" }
    },
    {
      body: { error: { code: 502, message: "all providers failed" } },
      failure: { kind: "server_error", detail: "all providers failed" }
    },
    { body: { error: "out of order" }, failure: { kind: "server_error", detail: "out of order" } },
    { body: { error: { code: 500 } }, failure: { kind: "server_error" } }
  ])("rejects $body", ({ body, failure }) =>
    Effect.gen(function* () {
      const { result } = yield* exchange(body)
      assert.isTrue(Result.isFailure(result))
      expect(Result.isFailure(result) && result.failure).toMatchObject(failure)
      assert.isFalse(Result.isFailure(result) && Object.hasOwn(result.failure, "usage"))
    })
  )

  it.effect.each([
    [400, "bad_request"],
    [401, "credential_refused"],
    [402, "credential_refused"],
    [403, "forbidden"],
    [404, "not_served"],
    [413, "bad_request"],
    [429, "rate_limited"],
    [500, "server_error"],
    [502, "server_error"],
    [503, "overloaded"],
    [524, "timeout"],
    [529, "overloaded"]
  ] as const)("turns the status %i of this API into %s", ([status, kind]) =>
    Effect.gen(function* () {
      const body = { error: { code: status, message: "no" }, user_id: "u" }
      const { requests, result } = yield* exchange(body, makeCall(), status)
      assert.isTrue(Result.isFailure(result))
      expect(Result.isFailure(result) && result.failure).toMatchObject({
        kind,
        status,
        detail: "no"
      })
      assert.strictEqual(requests.length, 1)
    })
  )

  it.effect("serves 200 labels, and names and labels such as __proto__", () =>
    Effect.gen(function* () {
      const labels = ["__proto__", "constructor", ...Array.from({ length: 198 }, (_, i) => `${i}`)]
      const asked: Questions = Object.fromEntries([
        [
          "__proto__",
          {
            type: "choice",
            instructions: "?",
            criteria: Object.fromEntries(labels.map((label) => [label, null]))
          }
        ]
      ])
      const probabilities = Object.fromEntries(
        labels.map((label) => [label, label === "__proto__" ? 0.801 : 0.001])
      )
      const { requests, result } = yield* exchange(
        {
          ...response,
          answers: Object.fromEntries([
            ["__proto__", { type: "choice", choice: "__proto__", probabilities }]
          ])
        },
        makeCall(asked)
      )
      assert.include(requests[0]!.text, '"questions":{"__proto__":{"type":"choice"')
      const verdict = Result.getOrThrow(result).verdicts.get("__proto__")!
      const answer = Result.getOrThrow(deriveAnswer(asked["__proto__"]!, verdict))
      assert.isTrue(answer.type === "choice")
      if (answer.type !== "choice") return
      assert.strictEqual(answer.choice, "__proto__")
      const stated = Object.entries(answer.probabilities!)
      assert.strictEqual(stated.length, 200)
      for (const [label, probability] of stated) {
        assert.strictEqual(probability, label === "__proto__" ? 0.801 : 0.001)
      }
    })
  )

  it.effect("closes the connection if it is interrupted", () =>
    Effect.gen(function* () {
      const server = yield* startRecordingServer(() => {})
      const fiber = yield* openrouter({ baseUrl: server.url })
        .decisions!.decide(makeCall())
        .pipe(Effect.provide(NodeHttpClient.layerUndici), Effect.forkChild)
      yield* server.waitForRequests(1)
      yield* Fiber.interrupt(fiber)
      yield* server.requests[0]!.aborted
    })
  )

  it("reserves the content and an answer that repeats it", () => {
    const bound = openrouter({ apiKey: null }).decisions!.estimateWorstCase(
      makeCall(questions, { contentBytes: Buffer.byteLength(JSON.stringify(questions)) })
    )
    assert.isAtLeast(bound.outputTokens, Buffer.byteLength(JSON.stringify(answers)))
    assert.isAtLeast(bound.inputTokens, Buffer.byteLength(JSON.stringify(questions)))
    const larger = openrouter({ apiKey: null }).decisions!.estimateWorstCase(
      makeCall(questions, { contentBytes: 1_000_000 })
    )
    assert.isAtLeast(larger.inputTokens, 1_000_000)
  })

  it("counts an image as maxImageTokens, not by its bytes", () => {
    const url = `data:image/png;base64,${"A".repeat(1_000_000)}`
    const state = [{ type: "image_url", image_url: { url } }, "Is it calm?"]
    const contentBytes = Buffer.byteLength(JSON.stringify({ state, questions }))
    const { decisions } = openrouter({ apiKey: null, maxImageTokens: 7_000 })
    const { inputTokens, outputTokens } = decisions!.estimateWorstCase(
      makeCall(questions, { state, contentBytes })
    )
    assert.isAtLeast(inputTokens, 7_000)
    assert.isBelow(inputTokens, 10_000)
    assert.isBelow(outputTokens, 3_000)
  })
})
