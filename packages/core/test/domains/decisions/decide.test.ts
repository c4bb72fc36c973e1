import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { hostCaller } from "../../../src/tenants/auth/Caller.ts"
import { decide } from "../../../src/domains/decisions/decide.ts"
import type { DecideRequest } from "../../../src/domains/decisions/Decision.ts"
import type { Generation } from "../../../src/engine/observability/generations/Generation.ts"
import type { Question } from "../../../src/questions/Question.ts"
import * as Settings from "../../../src/instance/Settings.ts"
import { AccountId } from "../../../src/values/ids/Ids.ts"
import { fakeDecisionUpstream, makeWorld } from "./decisionFixtures.ts"

const records: Array<Generation> = []
const judge = fakeDecisionUpstream("judge", ({ questions }) =>
  Effect.succeed({
    verdicts: new Map(
      Object.entries(questions).map(([name, { criteria, type }]) => [
        name,
        { weights: type === "noul" ? [1, 0] : Object.keys(criteria ?? {}).map((_, i) => i) }
      ])
    ),
    usage: { inputTokens: 1, outputTokens: 1 },
    method: "native"
  })
)
const provideWorld = Effect.provide(makeWorld({ upstreams: [judge], records }))

const request = {
  model: "a/b",
  state: "x",
  questions: { calm: { type: "noul", instructions: "?" } }
} as const satisfies DecideRequest<Record<string, Question>>

describe("decide", () => {
  it.effect("answers the application itself, or the caller it names", () =>
    Effect.gen(function* () {
      const { answers, provider } = yield* decide({
        ...request,
        questions: {
          ...request.questions,
          team: { type: "choice", instructions: "?", criteria: { a: null, b: null } },
          tone: { type: "score", instructions: "?", criteria: ["low", "high"] }
        }
      })
      assert.strictEqual(provider, "JUDGE")
      assert.strictEqual(answers.calm.noul, 1)
      assert.strictEqual(answers.team.choice, "b")
      assert.strictEqual(answers.tone.legend["1"], "high")
      yield* decide(request, { ...hostCaller, account: AccountId.make("acme") })
      assert.deepStrictEqual(
        records.map(({ account }) => account),
        [hostCaller.account, AccountId.make("acme")]
      )
    }).pipe(provideWorld)
  )

  const cycle: Record<string, unknown> = {}
  cycle["self"] = cycle
  let deep: unknown = []
  for (let i = 0; i < 100_000; i++) deep = [deep]
  it.effect.each([
    ["a cycle", cycle],
    ["a bigint", { amount: 1n }],
    ["a depth that overflows JSON.stringify", { deep }]
  ] as const)("rejects %s as a state", ([, state]) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(decide({ ...request, state }))
      assert.deepInclude(error, { _tag: "InvalidRequest", path: [] })
    }).pipe(provideWorld)
  )

  it.effect("applies the rules and limits of the HTTP API to the application", () =>
    Effect.gen(function* () {
      const empty = yield* Effect.flip(decide({ ...request, questions: {} }))
      assert.deepInclude(empty, { _tag: "InvalidRequest", path: ["questions"] })
      const names = Array.from({ length: 300 }, (_, index) => String(index))
      const many = Object.fromEntries(names.map((name) => [name, request.questions.calm]))
      assert.deepInclude(yield* Effect.flip(decide({ ...request, questions: many })), {
        path: ["questions"],
        problem: "must have at most 256 (maxQuestions), got 300"
      })
      const limits = Settings.layer({ maxBodyBytes: 1_000, maxImageBodyBytes: 2_000 })
      const large = yield* Effect.flip(decide({ ...request, state: "s".repeat(1_000) })).pipe(
        Effect.provide(limits)
      )
      assert.deepInclude(large, { _tag: "RequestTooLarge", limitBytes: 1_000 })
      const image = { type: "image_url", image_url: { url: "x".repeat(2_000) } }
      const images = yield* Effect.flip(decide({ ...request, state: [image] })).pipe(
        Effect.provide(limits)
      )
      assert.deepInclude(images, { _tag: "RequestTooLarge", limitBytes: 2_000 })
    }).pipe(provideWorld)
  )
})
