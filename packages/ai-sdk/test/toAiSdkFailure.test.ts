import * as AiSdk from "@ai-sdk/provider"
import { assert, describe, expect, it } from "@effect/vitest"
import type { UpstreamFailure } from "@signalbox/core/upstream"
import * as Effect from "effect/Effect"
import { fromAiSdk } from "../src/index.ts"
import { makeFakeModel } from "./FakeModel.ts"
import { complete, stream } from "./runChat.ts"

const request = { url: "https://fake.example/chat", requestBodyValues: { secret: "sk-1" } }

const apiError = (fields: Partial<ConstructorParameters<typeof AiSdk.APICallError>[0]>) =>
  new AiSdk.APICallError({ message: "it said no", ...request, ...fields })

const withCode = (code: string) => Object.assign(new Error("connect"), { code })

const cases: ReadonlyArray<readonly [string, unknown, Partial<UpstreamFailure>]> = [
  [
    "a limit, with its wait",
    apiError({ statusCode: 429, responseHeaders: { "retry-after": "7" } }),
    { kind: "rate_limited", status: 429, retryAfterMillis: 7_000, detail: "it said no" }
  ],
  [
    "a long conversation",
    apiError({
      statusCode: 400,
      responseBody: '{"error":{"code":"context_length_exceeded","message":"too long"}}'
    }),
    { kind: "context_length", detail: "too long" }
  ],
  [
    "a status of an unknown form",
    apiError({ statusCode: 503, responseBody: "<html>" }),
    { kind: "overloaded", detail: "it said no" }
  ],
  ["a conflict", apiError({ statusCode: 409 }), { kind: "server_error", status: 409 }],
  [
    "an error beside status 200",
    apiError({ statusCode: 200, responseBody: '{"error":{"code":529}}' }),
    { kind: "overloaded" }
  ],
  [
    "an unreadable answer",
    apiError({ statusCode: 200, responseBody: "{}" }),
    { kind: "invalid_answer" }
  ],
  [
    "an answer that breaks off",
    apiError({
      statusCode: 200,
      cause: new TypeError("terminated", { cause: withCode("UND_ERR_SOCKET") })
    }),
    { kind: "unreachable", phase: "body" }
  ],
  [
    "a refused connection",
    apiError({ cause: withCode("ECONNREFUSED") }),
    { kind: "unreachable", phase: "connect" }
  ],
  ["an error without a status", apiError({}), { kind: "server_error", detail: "it said no" }],
  [
    "an error of another package with a status",
    Object.assign(new Error("no"), { statusCode: 404 }),
    { kind: "not_served" }
  ],
  [
    "a missing key",
    new AiSdk.LoadAPIKeyError({ message: "key is missing" }),
    { kind: "credential_refused", detail: "key is missing" }
  ],
  [
    "a missing setting",
    new AiSdk.LoadSettingError({ message: "region is missing" }),
    { kind: "credential_refused" }
  ],
  [
    "an unknown model",
    new AiSdk.NoSuchModelError({ modelId: "x", modelType: "languageModel" }),
    { kind: "not_served" }
  ],
  [
    "what a model cannot do",
    new AiSdk.UnsupportedFunctionalityError({ functionality: "x" }),
    { kind: "unsupported_parameter" }
  ],
  [
    "a file of another provider",
    new AiSdk.NoSuchProviderReferenceError({ provider: "x", reference: {} }),
    { kind: "unsupported_parameter" }
  ],
  [
    "an invalid prompt",
    new AiSdk.InvalidPromptError({ prompt: [], message: "x" }),
    { kind: "bad_request" }
  ],
  [
    "an invalid argument",
    new AiSdk.InvalidArgumentError({ argument: "x", message: "x" }),
    { kind: "bad_request" }
  ],
  ["an empty answer", new AiSdk.EmptyResponseBodyError(), { kind: "invalid_answer" }],
  [
    "invalid data",
    new AiSdk.InvalidResponseDataError({ data: "sk-1" }),
    { kind: "invalid_answer", detail: "AI_InvalidResponseDataError" }
  ],
  [
    "invalid JSON",
    new AiSdk.JSONParseError({ text: "sk-1", cause: new Error("x") }),
    { kind: "invalid_answer" }
  ],
  [
    "invalid types",
    new AiSdk.TypeValidationError({ value: "sk-1", cause: undefined }),
    { kind: "invalid_answer" }
  ],
  ["no content", new AiSdk.NoContentGeneratedError(), { kind: "invalid_answer" }],
  ["a timeout of its own", new DOMException("x", "TimeoutError"), { kind: "timeout" }],
  ["an abort that nobody asked for", new DOMException("x", "AbortError"), { kind: "unreachable" }],
  [
    "an error of the code",
    new RangeError("sk-1"),
    { kind: "defect", detail: "the model threw RangeError" }
  ],
  ["a text", "sorry", { kind: "server_error", detail: "sorry" }],
  ["nothing", undefined, { kind: "server_error" }]
]

describe("what a model throws", () => {
  for (const [name, error, expected] of cases) {
    it.effect(`${name} is ${expected.kind}, thrown or rejected, whole or streamed`, () =>
      Effect.gen(function* () {
        const model = makeFakeModel({
          generate: () => Promise.reject(error),
          stream: () => Promise.reject(error)
        })
        const thrown = {
          ...model,
          doGenerate: () => {
            throw error
          },
          doStream: () => {
            throw error
          }
        }
        for (const each of [model, thrown]) {
          const upstream = fromAiSdk(each, { slug: "fake" })
          const failures = [
            yield* Effect.flip(complete(upstream)),
            yield* Effect.flip(stream(upstream))
          ]
          for (const failure of failures) {
            expect(failure).toMatchObject(expected)
            assert.notInclude(JSON.stringify(failure), "sk-1")
          }
        }
        // A stream may fail after it began.
        const broken = makeFakeModel({
          stream: () => new ReadableStream({ start: (controller) => controller.error(error) })
        })
        const failure = yield* Effect.flip(stream(fromAiSdk(broken, { slug: "fake" })))
        assert.strictEqual(failure.kind, expected.kind)
      })
    )
  }

  it.effect("a refused key is not repeated", () =>
    Effect.gen(function* () {
      const responseBody = '{"error":{"message":"Incorrect API key provided: sk-1"}}'
      const error = apiError({ statusCode: 401, responseBody })
      const model = makeFakeModel({ generate: () => Promise.reject(error) })
      const failure = yield* Effect.flip(complete(fromAiSdk(model, { slug: "fake" })))
      assert.strictEqual(failure.kind, "credential_refused")
      assert.isUndefined(failure.detail)
    })
  )

  it.effect("a function that makes no model fails the call", () =>
    Effect.gen(function* () {
      const upstream = fromAiSdk(
        (modelId) => {
          throw new AiSdk.NoSuchModelError({ modelId, modelType: "languageModel" })
        },
        { slug: "fake" }
      )
      assert.strictEqual((yield* Effect.flip(complete(upstream))).kind, "not_served")
      const { reasoningFamily } = upstream.chat!
      assert.isUndefined(typeof reasoningFamily === "function" ? reasoningFamily("x") : "")
    })
  )
})
