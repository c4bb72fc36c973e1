import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { assert, describe, expect, it } from "@effect/vitest"
import * as AiError from "effect/ai/AiError"
import type * as Decision from "effect/ai/Decision"
import * as DecisionModel from "effect/ai/DecisionModel"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Result from "effect/Result"
import { deriveAnswer } from "../../../src/questions/deriveAnswer.ts"
import type { Questions } from "../../../src/questions/Question.ts"
import type { DecisionCall } from "../../../src/engine/upstreams/DecisionCapability.ts"
import { fromDecisionModel } from "../../../src/engine/upstreams/fromDecisionModel.ts"

type Provide = (
  options: DecisionModel.ProviderOptions<Exclude<Decision.Any, Decision.Locate>>
) => Effect.Effect<DecisionModel.ProviderResponse, AiError.AiError>

const call = (questions: Questions, state: unknown = "a state"): DecisionCall => ({
  model: "ignored",
  supportedParameters: new Set(),
  state,
  questions,
  contentBytes: 1_234,
  onUsage: () => {}
})

const decide = Effect.fnUntraced(function* (decide: Provide, call: DecisionCall) {
  const model = yield* DecisionModel.make({ decide })
  return yield* fromDecisionModel(model)
    .decide(call)
    .pipe(Effect.provide(NodeHttpClient.layerUndici))
})

const usage = { inputTokens: 7, outputTokens: 3 }

describe("fromDecisionModel", () => {
  it.effect("maps noul to probability, choice to classify and score to rate, in one call", () =>
    Effect.gen(function* () {
      const asked: Array<unknown> = []
      const reply = yield* decide(
        (options) => {
          asked.push(options)
          return Effect.succeed({
            answers: {
              calm: { _tag: "Probability", probability: 0.25 },
              team: {
                _tag: "Classify",
                label: "billing",
                probabilities: { tech: 0.6, billing: 0.4 },
                confidence: 0.3
              },
              tone: { _tag: "Rate", rating: 1.5, probabilities: { "0": 0.1, "1": 0.3, "2": 0.6 } }
            },
            usage,
            modelId: "judge-2030-01-01"
          })
        },
        call(
          {
            calm: {
              type: "noul",
              instructions: "Is it calm?",
              criteria: { true: "calm", false: ["angry", 1] }
            },
            team: {
              type: "choice",
              instructions: { task: "route" },
              criteria: { billing: null, tech: { about: "errors" } }
            },
            tone: { type: "score", instructions: ["how", "kind"], criteria: ["bad", "ok", "good"] }
          },
          { text: ["hello", 1, null] }
        )
      )
      assert.deepStrictEqual(asked, [
        {
          state: { text: ["hello", 1, null] },
          decisions: {
            calm: {
              _tag: "Probability",
              instructions: "Is it calm?",
              criteria: { true: "calm", false: ["angry", 1] }
            },
            team: {
              _tag: "Classify",
              instructions: { task: "route" },
              criteria: { billing: null, tech: { about: "errors" } }
            },
            tone: {
              _tag: "Rate",
              instructions: ["how", "kind"],
              criteria: [
                { label: "0", description: "bad" },
                { label: "1", description: "ok" },
                { label: "2", description: "good" }
              ]
            }
          }
        }
      ])
      assert.deepStrictEqual(
        [...reply.verdicts],
        [
          ["calm", { weights: [0.25, 0.75] }],
          ["team", { weights: [0.4, 0.6], native: { choice: "billing", confidence: 0.3 } }],
          ["tone", { weights: [0.1, 0.3, 0.6], native: { score: 1.5 } }]
        ]
      )
      assert.strictEqual(reply.method, "native")
      assert.strictEqual(reply.model, "judge-2030-01-01")
      assert.deepStrictEqual(reply.usage, usage)
    })
  )

  it.effect("serves one label, one level, and names and labels such as __proto__", () =>
    Effect.gen(function* () {
      const questions: Questions = Object.fromEntries([
        [
          "__proto__",
          {
            type: "choice",
            instructions: "?",
            criteria: Object.fromEntries([
              ["__proto__", null],
              ["constructor", "b"]
            ])
          }
        ],
        ["only", { type: "choice", instructions: "?", criteria: { one: null } }],
        ["level", { type: "score", instructions: "?", criteria: ["x"] }]
      ])
      const reply = yield* decide(
        () =>
          Effect.succeed({
            answers: Object.fromEntries<DecisionModel.ProviderAnswer>([
              [
                "__proto__",
                {
                  _tag: "Classify",
                  label: "__proto__",
                  probabilities: Object.fromEntries([
                    ["__proto__", 0.75],
                    ["constructor", 0.25]
                  ])
                }
              ],
              ["only", { _tag: "Classify", label: "one", probabilities: { one: 1 } }],
              ["level", { _tag: "Rate", rating: 0, probabilities: { "0": 1 } }]
            ]),
            usage: { inputTokens: undefined, outputTokens: undefined }
          }),
        call(questions)
      )
      const answers = Object.entries(questions).map(([name, question]) =>
        Result.getOrThrow(deriveAnswer(question, reply.verdicts.get(name)!))
      )
      expect(answers).toMatchObject([
        { type: "choice", choice: "__proto__" },
        { type: "choice", choice: "one", confidence: 1 },
        { type: "score", score: 0, confidence: 1 }
      ])
      // Without reported usage a byte counts as a token.
      assert.deepStrictEqual(reply.usage, { inputTokens: 1_234, outputTokens: 0 })
      assert.isFalse(Object.hasOwn(reply, "model"))
    })
  )

  it.effect("writes numbers, booleans and null in descriptions as JSON", () =>
    Effect.gen(function* () {
      let instructions: unknown
      class Odd {
        readonly when = new Date(0)
      }
      yield* decide(
        ({ decisions }) => {
          instructions = decisions["q"]!.instructions
          return Effect.succeed({
            answers: { q: { _tag: "Probability", probability: 1 } },
            usage
          })
        },
        call({ q: { type: "noul", instructions: { odd: new Odd() } } })
      )
      assert.strictEqual(instructions, '{"odd":{"when":"1970-01-01T00:00:00.000Z"}}')
    })
  )

  const question: Questions = { q: { type: "noul", instructions: "?" } }
  const reasons: ReadonlyArray<[AiError.AiErrorReason, object]> = [
    [
      new AiError.RateLimitError({ retryAfter: Duration.seconds(5) }),
      { kind: "rate_limited", retryAfterMillis: 5_000 }
    ],
    [new AiError.RateLimitError({}), { kind: "rate_limited" }],
    [new AiError.RateLimitError({ retryAfter: Duration.infinity }), { kind: "rate_limited" }],
    [new AiError.QuotaExhaustedError({}), { kind: "credential_refused" }],
    [new AiError.AuthenticationError({ kind: "InvalidKey" }), { kind: "credential_refused" }],
    [new AiError.ContentPolicyError({ description: "no" }), { kind: "content_refused" }],
    [new AiError.InternalProviderError({ description: "oops" }), { kind: "server_error" }],
    [new AiError.UnknownError({ description: "?" }), { kind: "server_error" }],
    [new AiError.InvalidRequestError({ description: "bad" }), { kind: "bad_request" }]
  ]
  it.effect.each(reasons.map(([reason, failure]) => ({ tag: reason._tag, reason, failure })))(
    "turns $tag into a failure",
    ({ reason, failure }) =>
      Effect.gen(function* () {
        const failed = yield* Effect.flip(
          decide(
            () => Effect.fail(AiError.make({ module: "Test", method: "decide", reason })),
            call(question)
          )
        )
        expect(failed).toMatchObject(failure)
        assert.strictEqual(
          Object.hasOwn(failed, "retryAfterMillis"),
          Object.hasOwn(failure, "retryAfterMillis")
        )
        assert.isAtMost(failed.detail!.length, 500)
      })
  )

  it.effect.each([
    { what: "a missing answer", answers: {}, kind: "invalid_answer" },
    {
      what: "an impossible answer",
      answers: { q: { _tag: "Probability" as const, probability: 2 } },
      kind: "invalid_answer"
    },
    {
      what: "a refusal",
      answers: { q: { _tag: "Refusal" as const } },
      kind: "content_refused"
    }
  ])("fails on $what", ({ answers, kind }) =>
    Effect.gen(function* () {
      const failed = yield* Effect.flip(
        decide(() => Effect.succeed({ answers, usage }), call(question))
      )
      assert.strictEqual(failed.kind, kind)
    })
  )

  it.effect("interrupts the model", () =>
    Effect.gen(function* () {
      const started = yield* Deferred.make<void>()
      const stopped = yield* Deferred.make<void>()
      const fiber = yield* Effect.forkChild(
        decide(
          () =>
            Effect.andThen(Deferred.succeed(started, undefined), Effect.never).pipe(
              Effect.onInterrupt(() => Deferred.succeed(stopped, undefined))
            ),
          call(question)
        )
      )
      yield* Deferred.await(started)
      yield* Fiber.interrupt(fiber)
      yield* Deferred.await(stopped)
    })
  )

  it.effect("reserves the content once, and room for an answer", () =>
    Effect.gen(function* () {
      const model = yield* DecisionModel.make({ decide: () => Effect.never })
      const { inputTokens, outputTokens } = fromDecisionModel(model).estimateWorstCase(
        call(question)
      )
      assert.isAtLeast(inputTokens, 1_234)
      assert.isAbove(outputTokens, 0)
    })
  )
})
