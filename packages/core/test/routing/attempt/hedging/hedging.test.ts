/** A second attempt beside a late one: when it starts, who wins, and what the record says. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { withCredential } from "../../../../src/routing/Candidate.ts"
import { makePricedCandidate } from "../../makeCandidate.ts"
import {
  a,
  b,
  behave,
  c,
  type HedgedRequest,
  makeHedgedRequests,
  streamed
} from "./makeHedgedRequests.ts"

/** The p95 of 20 first events at 200 ms, as a histogram has it. */
const delay = 192.1

const late = { a: behave(5_000), b: behave(100) }

describe("a stream without a first event", () => {
  it.effect("is served by a second attempt, and the first one is cut off", () =>
    Effect.gen(function* () {
      const { run, warmUp } = yield* makeHedgedRequests()
      yield* warmUp(200)
      const { book, calls, cuts, exit, observed, sent } = yield* run({ behaviors: late })
      assert(Exit.isSuccess(exit))
      assert.strictEqual(exit.value.served?.value, "b")
      assert.deepStrictEqual(exit.value.attempts, observed)
      assert.deepStrictEqual(calls, ["a", "b"])
      assert.deepStrictEqual(sent, ["b", "b"])
      assert.deepStrictEqual(cuts, ["a"])
      assert.sameMembers(book, ["reserve a", "reserve b", "end a", "end b"])
      const [lost, served] = observed
      assert.deepInclude(lost, { candidate: a, lost: true, abortReason: "interrupted" })
      assert.notProperty(lost, "hedge")
      assert.closeTo(lost?.latencyMillis ?? 0, delay + 100, 15)
      assert.deepInclude(served, { candidate: b, hedge: true, firstEventMillis: 100 })
      assert.notProperty(served, "lost")
    })
  )

  it.effect("is served by the first attempt if that is earlier after all", () =>
    Effect.gen(function* () {
      const { run, warmUp } = yield* makeHedgedRequests()
      yield* warmUp(200)
      const { cuts, exit, observed, sent } = yield* run({
        behaviors: { a: behave(300), b: behave(400) }
      })
      assert(Exit.isSuccess(exit))
      assert.strictEqual(exit.value.served?.value, "a")
      assert.deepStrictEqual([sent, cuts], [["a", "a"], ["b"]])
      assert.deepStrictEqual(
        observed.map(({ candidate, hedge, lost }) => [candidate.id, hedge, lost]),
        [
          [b.id, true, true],
          [a.id, undefined, undefined]
        ]
      )
    })
  )

  it.effect("waits for the other attempt when one fails, and goes on when both do", () =>
    Effect.gen(function* () {
      const toSummary = Effect.fnUntraced(function* (behaviors: HedgedRequest["behaviors"]) {
        const { run, warmUp } = yield* makeHedgedRequests()
        yield* warmUp(200)
        const { exit, observed } = yield* run({ behaviors })
        return [
          Exit.isSuccess(exit) ? exit.value.served?.value : exit,
          ...observed.map(
            ({ candidate, failure }) => `${candidate.endpoint.tag} ${failure?.kind ?? ""}`
          )
        ]
      })
      const firstFails = { a: behave(300, { result: "fail" }), b: behave(900) }
      assert.deepStrictEqual(yield* toSummary(firstFails), ["b", "a overloaded", "b "])
      const secondFails = { a: behave(900), b: behave(50, { result: "fail" }) }
      assert.deepStrictEqual(yield* toSummary(secondFails), ["a", "b overloaded", "a "])
      const bothFail = { a: behave(300, { result: "fail" }), b: behave(400, { result: "fail" }) }
      assert.deepStrictEqual(yield* toSummary(bothFail), [
        "c",
        "a overloaded",
        "b overloaded",
        "c "
      ])
    })
  )

  it.effect("ends when one attempt shows that the request is at fault", () =>
    Effect.gen(function* () {
      const { run, warmUp } = yield* makeHedgedRequests()
      yield* warmUp(200)
      const { calls, cuts, observed } = yield* run({
        behaviors: { a: behave(300, { result: "refuse" }), b: behave(900) }
      })
      assert.deepStrictEqual([calls, cuts], [["a", "b"], ["b"]])
      assert.deepStrictEqual(
        observed.map(({ failure, lost }) => failure?.kind ?? lost),
        [true, "bad_request"]
      )
    })
  )

  it.effect("counts a loser as having taken at least as long as it was waited for", () =>
    Effect.gen(function* () {
      const { health, run, warmUp } = yield* makeHedgedRequests()
      yield* warmUp(200)
      const before = health.snapshot([a.id], true).endpoints[a.id]
      yield* run({ behaviors: late })
      const after = health.snapshot([a.id], true).endpoints[a.id]
      assert.isAbove(after?.recentMillis ?? 0, before?.recentMillis ?? Infinity)
      assert.deepStrictEqual([after?.inFlight ?? 0, after?.samples], [0, before?.samples])
    })
  )

  it.effect("goes to the endpoint that is expected to answer first", () =>
    Effect.gen(function* () {
      const { health, run, warmUp } = yield* makeHedgedRequests()
      yield* warmUp(200)
      for (let count = 0; count < 10; count++) {
        for (const [{ id }, latencyMillis] of [
          [b, 900],
          [c, 100]
        ] as const) {
          health.record({ endpoint: id, startedAt: 0, at: 4_000, result: "success", latencyMillis })
        }
      }
      assert.deepStrictEqual((yield* run({ behaviors: late })).calls, ["a", "c"])
      // 30 requests under way there outweigh that it is nine times as fast.
      for (let count = 0; count < 30; count++) health.begin(c.id)
      assert.deepStrictEqual((yield* run({ behaviors: late })).calls, ["a", "b"])
    })
  )
})

describe("there is no second attempt", () => {
  const own = withCredential(b, { id: "key", isFallback: false, sortOrder: 0, declaredZdr: null })
  const uncancelled = { ...b, endpoint: { ...b.endpoint, cancels: false } }
  const unhedged: Readonly<Record<string, Partial<HedgedRequest>>> = {
    "when the request says so": { preferences: { hedge: false } },
    "without fallbacks": { preferences: { allow_fallbacks: false } },
    "with an order": { preferences: { order: ["a", "b"] } },
    "for a whole answer": { hedging: { ...streamed, isDefault: false } },
    "without another endpoint": { candidates: [a] },
    "at an endpoint that was moved back": {
      candidates: [a, b],
      demoted: [{ candidate: b, reasons: [] }]
    },
    "in another turn": { candidates: [a, own] },
    "where a provider charges for what is cut off": { candidates: [a, uncancelled] },
    "for one where a provider charges for what is cut off": {
      candidates: [{ ...a, endpoint: { ...a.endpoint, cancels: false } }, b]
    },
    "for an endpoint of another model": {
      candidates: [
        a,
        { ...b, endpoint: { ...b.endpoint, model: makePricedCandidate("x", 1).endpoint.model } }
      ]
    }
  }
  it.effect.each(Object.entries(unhedged).slice(0, -1))("%s", ([, request]) =>
    Effect.gen(function* () {
      const { run, warmUp } = yield* makeHedgedRequests()
      yield* warmUp(200, request)
      const { calls, observed } = yield* run({ behaviors: late, ...request })
      assert.deepStrictEqual(calls, ["a"])
      assert.deepStrictEqual(
        observed.map(({ hedge }) => hedge),
        [undefined]
      )
    })
  )

  it.effect("before 20 first events", () =>
    Effect.gen(function* () {
      const { run } = yield* makeHedgedRequests()
      assert.deepStrictEqual((yield* run({ behaviors: late })).calls, ["a"])
    })
  )

  it.effect("without money for it", () =>
    Effect.gen(function* () {
      const { run, warmUp } = yield* makeHedgedRequests()
      yield* warmUp(200)
      const refused = { a: behave(900), b: behave(10, { isReservationRefused: true }) }
      // Refused ones do not use up the budget either.
      for (let count = 0; count < 30; count++) {
        const { calls, exit } = yield* run({ behaviors: refused, candidates: [a, b] })
        assert.deepStrictEqual(calls, ["a"])
        assert(Exit.isSuccess(exit))
        assert.notProperty(exit.value, "reservationError")
        yield* warmUp(200)
      }
      assert.deepStrictEqual((yield* run({ behaviors: late })).calls, ["a", "b"])
    })
  )
})

it.effect("a whole answer has a second attempt when the request asks for it", () =>
  Effect.gen(function* () {
    const { run, warmUp } = yield* makeHedgedRequests()
    const hedging = { kind: "whole", isDefault: false }
    yield* warmUp(200, { hedging })
    const request = { behaviors: late, hedging, preferences: { hedge: true } }
    const { calls, cuts, exit } = yield* run(request)
    assert(Exit.isSuccess(exit))
    assert.deepStrictEqual([exit.value.served?.value, calls, cuts], ["b", ["a", "b"], ["a"]])
  })
)
