import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import type { Caller } from "../../../../src/tenants/auth/Caller.ts"
import { Decisions } from "../../../../src/domains/decisions/Decisions.ts"
import { parseDecisionRequest } from "../../../../src/domains/decisions/parseDecisionRequest.ts"
import { Health } from "../../../../src/engine/health/Health.ts"
import type { Generation } from "../../../../src/engine/observability/generations/Generation.ts"
import type { EscalationOutcome, RouteObserver } from "../../../../src/routing/RouteQuery.ts"
import { defaults } from "../../../../src/instance/Settings.ts"
import type {
  DecisionCall,
  DecisionReply
} from "../../../../src/engine/upstreams/DecisionCapability.ts"
import { UpstreamFailure } from "../../../../src/engine/upstreams/failures/UpstreamFailure.ts"
import { AccountId, KeyHash, UserId, WorkspaceId } from "../../../../src/values/ids/Ids.ts"
import { make as nano } from "../../../../src/values/usage/NanoUsd.ts"
import { fakeDecisionUpstream, makeWorld, toTokenPrice, type World } from "../decisionFixtures.ts"

const member: Caller = {
  account: AccountId.make("acme"),
  workspace: WorkspaceId.make("lab"),
  kind: "member",
  user: UserId.make("ada"),
  keyHash: KeyHash.make("0".repeat(64))
}
const limited = (cap: bigint): Caller => ({
  ...member,
  limit: { cap: nano(cap), includesByok: false, reset: null }
})

const noul = { type: "noul", instructions: "Is it?" }
const questions = { sure: noul, unsure: noul }

type Decide = (call: DecisionCall) => Effect.Effect<DecisionReply, UpstreamFailure>

const reply =
  (probabilities: Readonly<Record<string, number>>): Decide =>
  (call) =>
    Effect.succeed({
      verdicts: new Map(
        Object.keys(call.questions).map((name) => {
          const yes = probabilities[name] ?? 0.5
          return [name, { weights: [yes, 1 - yes] }]
        })
      ),
      usage: { inputTokens: 10, outputTokens: 0 },
      method: "native"
    })
const cheapReply = reply({ sure: 0.99, unsure: 0.6 })
const dearReply = reply({ sure: 0.9, unsure: 0.1 })
const fail: Decide = () => Effect.fail(new UpstreamFailure({ kind: "server_error", status: 500 }))

/** `a/b` at the provider `cheap` for 1, `a/large` at `dear` for 10 nano-USD a token. */
const makeStages = (cheap: Decide, dear: Decide, rest: Partial<World> = {}) => {
  const calls: Array<string> = []
  const tell =
    (slug: string, decide: Decide): Decide =>
    (call) => {
      calls.push(`${slug}: ${Object.keys(call.questions).join(", ")}`)
      return decide(call)
    }
  const records: Array<Generation> = []
  const outcomes: Array<EscalationOutcome> = []
  const observer: RouteObserver = {
    onPlan: () => undefined,
    onAttempt: () => undefined,
    onEscalation: (outcome) => void outcomes.push(outcome)
  }
  const submit = (changes: object, caller: Caller = member) =>
    Effect.gen(function* () {
      const text = JSON.stringify({ model: "a/b", state: "It is fine.", questions, ...changes })
      const parsed = yield* Effect.fromResult(
        parseDecisionRequest(text, { bytes: text.length, settings: defaults })
      )
      return yield* Decisions.use((decisions) => decisions.submit(caller, parsed, observer))
    })
  const world = makeWorld({
    upstreams: [
      fakeDecisionUpstream("cheap", tell("cheap", cheap)),
      fakeDecisionUpstream("dear", tell("dear", dear))
    ],
    endpoints: [{ provider: "cheap", price: toTokenPrice(1) }],
    models: [{ id: "a/large", endpoints: [{ provider: "dear", price: toTokenPrice(10) }] }],
    records,
    ...rest
  })
  return { calls, records, outcomes, submit, provide: Effect.provide(world) }
}

const usage = fc.record({
  inputTokens: fc.integer({ min: 0, max: 1_000_000 }),
  cost: fc.option(fc.integer({ min: 0, max: 1_000_000 }), { nil: undefined }),
  yes: fc.double({ min: 0, max: 1, noNaN: true })
})
type Report = {
  readonly cost: number | undefined
  readonly inputTokens: number
  readonly yes: number
}

/** Unsure answers with the usage and the cost of `report`. */
const report =
  ({ cost, inputTokens, yes }: Report): Decide =>
  (call) =>
    Effect.map(
      reply(Object.fromEntries(Object.keys(call.questions).map((name) => [name, yes])))(call),
      (made) => ({
        ...made,
        usage: { inputTokens, outputTokens: 0 },
        ...(cost === undefined ? undefined : { cost: nano(BigInt(cost)) })
      })
    )

const escalate = { to: "a/large", confidence_below: 0.5 }

describe("escalation", () => {
  it.effect("asks only the unsure questions again, and pays both stages once", () => {
    const { calls, outcomes, provide, records, submit } = makeStages(cheapReply, dearReply)
    return Effect.gen(function* () {
      const decision = yield* submit({ escalate })
      assert.deepStrictEqual(calls, ["cheap: sure, unsure", "dear: unsure"])
      assert.deepInclude(decision, {
        model: "a/b",
        answers: { sure: { type: "noul", noul: 0.99 }, unsure: { type: "noul", noul: 0.1 } },
        usage: { input_tokens: 20, output_tokens: 0, cost: 110e-9 }
      })
      assert.deepStrictEqual(outcomes, [{ to: "a/large", threshold: 0.5, questions: ["unsure"] }])
      assert.deepInclude(records[0], {
        model: "a/b",
        cost: nano(110n),
        escalation: { to: "a/large", asked: 1, questions: 2, threshold: 0.5 }
      })
      assert.deepStrictEqual(
        records[0]?.attempts.map(({ outcome, provider }) => [provider, outcome]),
        [
          ["CHEAP", "served"],
          ["DEAR", "served"]
        ]
      )
      assert.lengthOf(records, 1)
      const health = yield* Health
      const ids = records.flatMap(({ attempts }) => attempts.map(({ endpoint }) => endpoint))
      assert.lengthOf(Object.keys(health.snapshot(ids).endpoints), 2, "two ordinary attempts")
    }).pipe(provide)
  })

  it.effect("merges the answers to questions of any name", () => {
    const { outcomes, provide, submit } = makeStages(
      reply({ constructor: 0.99, ["__proto__"]: 0.6 }),
      reply({ ["__proto__"]: 0.1 })
    )
    return Effect.gen(function* () {
      const { answers } = yield* submit({
        escalate,
        questions: { ["__proto__"]: noul, constructor: noul }
      })
      assert.deepStrictEqual(Object.entries(answers), [
        ["__proto__", { type: "noul", noul: 0.1 }],
        ["constructor", { type: "noul", noul: 0.99 }]
      ])
      assert.deepStrictEqual(outcomes[0]?.questions, ["__proto__"])
    }).pipe(provide)
  })

  it.effect("asks nothing again that is sure enough", () => {
    const { calls, outcomes, provide, submit } = makeStages(
      reply({ sure: 0.99, unsure: 0.95 }),
      dearReply
    )
    return Effect.gen(function* () {
      const { usage } = yield* submit({ escalate })
      assert.deepStrictEqual(calls, ["cheap: sure, unsure"])
      assert.strictEqual(usage.cost, 10e-9)
      assert.deepStrictEqual(outcomes, [{ to: "a/large", threshold: 0.5, questions: [] }])
    }).pipe(provide)
  })

  it.effect("names the other model when it has answered every question", () => {
    const { provide, submit } = makeStages(reply({}), dearReply)
    return Effect.gen(function* () {
      const { model, provider } = yield* submit({ escalate })
      assert.deepStrictEqual([model, provider], ["a/large", "DEAR"])
    }).pipe(provide)
  })

  it.effect("serves the first answers when the other model fails, and counts its attempts", () => {
    const { outcomes, provide, records, submit } = makeStages(cheapReply, fail)
    return Effect.gen(function* () {
      for (let i = 0; i < 20; i++) {
        const { answers, model } = yield* submit({ escalate })
        assert.strictEqual(model, "a/b")
        assert.deepStrictEqual(answers["unsure"], { type: "noul", noul: 0.6 })
      }
      assert.isTrue(outcomes.every(({ failed }) => failed !== undefined))
      assert.strictEqual(outcomes[0]?.failed, "AttemptsFailed")
      assert.lengthOf(records[0]?.attempts ?? [], 2)
    }).pipe(provide)
  })

  it.effect(
    "is answered by the other model alone when the first fails, and goes no further",
    () => {
      const { calls, outcomes, provide, submit } = makeStages(fail, reply({}))
      return Effect.gen(function* () {
        const { model } = yield* submit({ escalate })
        assert.strictEqual(model, "a/large")
        assert.deepStrictEqual(calls, ["cheap: sure, unsure", "dear: sure, unsure"])
        assert.deepStrictEqual(outcomes, [])
      }).pipe(provide)
    }
  )

  it.effect("has the money of the second stage for the other model when the first fails", () => {
    const { provide, submit } = makeStages(fail, reply({}))
    return Effect.gen(function* () {
      const { model } = yield* submit({ escalate }, limited(1_150n))
      assert.strictEqual(model, "a/large")
    }).pipe(provide)
  })

  it.effect(
    "reserves both stages beforehand, and stays with the first when there is no money",
    () => {
      // Each call may use 100 tokens: 100 nano-USD here and 1,000 there.
      const { calls, outcomes, provide, submit } = makeStages(cheapReply, dearReply)
      return Effect.gen(function* () {
        const decision = yield* submit({ escalate }, limited(500n))
        assert.deepStrictEqual(calls, ["cheap: sure, unsure"])
        assert.strictEqual(decision.usage.cost, 10e-9)
        assert.strictEqual(outcomes[0]?.failed, "LimitExceeded")
        yield* submit({ escalate }, limited(2_000n))
        assert.deepStrictEqual(calls.slice(1), ["cheap: sure, unsure", "dear: unsure"])
      }).pipe(provide)
    }
  )

  it.effect("keeps the money of the second stage for it while the first is under way", () => {
    const gate = Deferred.makeUnsafe<void>()
    let isFirst = true
    const { calls, outcomes, provide, submit } = makeStages((call) => {
      if (!isFirst) return cheapReply(call)
      isFirst = false
      return Effect.andThen(Deferred.await(gate), cheapReply(call))
    }, dearReply)
    return Effect.gen(function* () {
      const waiting = yield* Effect.forkChild(submit({ escalate }, limited(1_250n)), {
        startImmediately: true
      })
      // 1,100 of 1,250 are reserved, which leaves enough for a first stage and not for a second.
      yield* submit({ escalate }, limited(1_250n))
      assert.strictEqual(outcomes[0]?.failed, "LimitExceeded")
      yield* Deferred.succeed(gate, undefined)
      yield* Fiber.join(waiting)
      assert.isUndefined(outcomes[1]?.failed)
      assert.deepStrictEqual(calls.at(-1), "dear: unsure")
    }).pipe(provide)
  })

  it.effect("never charges more than both stages reserved, for any report", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(
          fc.record({ cheap: usage, dear: usage, cap: fc.integer({ min: 0, max: 3_000 }) }),
          ({ cap, cheap, dear }) => {
            const { provide, records, submit } = makeStages(report(cheap), report(dear))
            return Effect.gen(function* () {
              yield* Effect.exit(submit({ escalate }, limited(BigInt(cap))))
              const [record] = records
              for (const { cost = nano(0n), provider } of record?.attempts ?? []) {
                assert.isTrue(cost <= (provider === "CHEAP" ? 100n : 1_000n), String(cost))
              }
              assert.isTrue((record?.cost ?? 0n) <= BigInt(cap))
            }).pipe(provide, Effect.runPromise)
          }
        ),
        { numRuns: 100 }
      )
    )
  )

  it.effect("gives back what it reserved, however the request ends", () => {
    const { provide, submit } = makeStages(
      (call) => Effect.andThen(Effect.sleep(1_000), cheapReply(call)),
      dearReply
    )
    return Effect.gen(function* () {
      const caller = limited(1_200n)
      for (let i = 0; i < 5; i++) {
        const waiting = yield* Effect.forkChild(submit({ escalate }, caller), {
          startImmediately: true
        })
        yield* Fiber.interrupt(waiting)
      }
      const waiting = yield* Effect.forkChild(submit({ escalate }, caller), {
        startImmediately: true
      })
      yield* TestClock.adjust(1_000)
      const { model } = yield* Fiber.join(waiting)
      assert.strictEqual(model, "a/b")
    }).pipe(provide)
  })

  it.effect("stays with the first answers when less than a fifth of the time is left", () => {
    const { calls, outcomes, provide, submit } = makeStages(
      (call) => Effect.andThen(Effect.sleep(defaults.totalTimeoutMillis * 0.81), cheapReply(call)),
      dearReply,
      { settings: { maxAttempts: 1 } }
    )
    return Effect.gen(function* () {
      const waiting = yield* Effect.forkChild(submit({ escalate }), { startImmediately: true })
      yield* TestClock.adjust(defaults.totalTimeoutMillis)
      yield* Fiber.join(waiting)
      assert.deepStrictEqual(calls, ["cheap: sure, unsure"])
      assert.strictEqual(outcomes[0]?.failed, "no_time")
    }).pipe(provide)
  })

  it.effect("stays with the first answers when a restriction forbids the other model", () => {
    const { outcomes, provide, submit } = makeStages(cheapReply, dearReply)
    return Effect.gen(function* () {
      const { model } = yield* submit({ escalate, provider: { only: ["cheap"] } })
      assert.strictEqual(model, "a/b")
      assert.strictEqual(outcomes[0]?.failed, "NoEndpoints")
    }).pipe(provide)
  })

  it.effect("fails for a model that does not exist before anything is called", () => {
    const { calls, provide, submit } = makeStages(cheapReply, dearReply)
    return Effect.gen(function* () {
      const exit = yield* Effect.exit(submit({ escalate: { ...escalate, to: "a/none" } }))
      assert.isTrue(Exit.isFailure(exit))
      assert.deepStrictEqual(calls, [])
    }).pipe(provide)
  })

  it.effect("sends on no more than the share that was asked for", () => {
    const { calls, provide, submit } = makeStages(cheapReply, dearReply)
    return Effect.gen(function* () {
      for (let i = 0; i < 500; i++) {
        yield* submit({
          escalate: { to: "a/large", question: "unsure", target: { max_share: 0.2 } }
        })
      }
      const again = calls.filter((call) => call.startsWith("dear")).length
      assert.isTrue(again > 60 && again < 140, String(again))
    }).pipe(provide)
  })

  it.effect("shows the plans of both stages", () => {
    const { provide } = makeStages(cheapReply, dearReply)
    return Effect.gen(function* () {
      const text = JSON.stringify({ model: "a/b", state: "x", questions, escalate })
      const parsed = yield* Effect.fromResult(
        parseDecisionRequest(text, { bytes: text.length, settings: defaults })
      )
      const { plan } = yield* Decisions
      const first = yield* plan(member, parsed)
      assert.deepStrictEqual(first.models, ["a/b", "a/large"])
      assert.deepStrictEqual(first.escalation?.models, ["a/large"])
      assert.strictEqual(first.escalation?.seed, first.seed)
      const again = yield* plan(member, parsed, first)
      assert.deepStrictEqual(again.escalation?.plan, first.escalation?.plan)
    }).pipe(provide)
  })
})
