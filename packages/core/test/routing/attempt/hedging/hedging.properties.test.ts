/** For every order of events, a request is answered once, by one provider, and each attempt is settled once. */
import { assert, describe, it } from "vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import fc from "fast-check"
import { scaleRuns } from "../../../../../../vitest.scope.ts"
import { FirstEventTimes } from "../../../../src/routing/attempt/lateness/FirstEventTimes.ts"
import { makePricedCandidate } from "../../makeCandidate.ts"
import { Hedger } from "../../../../src/routing/attempt/hedging/Hedger.ts"
import { type Behavior, makeHedgedRequests } from "./makeHedgedRequests.ts"

const millis = fc.oneof(fc.nat(30), fc.constantFrom(95, 96, 97, 98, 100, 120), fc.nat(400))
const behavior: fc.Arbitrary<Behavior> = fc.record({
  firstMillis: millis,
  result: fc.constantFrom("serve", "serve", "serve", "fail", "refuse", "break", "hang"),
  restMillis: fc.oneof(fc.constant(0), fc.nat(200)),
  reserveMillis: fc.oneof(fc.constant(0), fc.nat(200)),
  isReservationRefused: fc.oneof(
    { weight: 5, arbitrary: fc.constant(false) },
    { weight: 1, arbitrary: fc.constant(true) }
  )
})
const request = fc.record({
  behaviors: fc.record({ a: behavior, b: behavior, c: behavior }),
  leavesAfter: fc.option(fc.nat(600), { nil: undefined }),
  isWhole: fc.boolean()
})

describe("hedging", () => {
  it("answers and charges once under any interleaving", () =>
    fc.assert(
      fc.asyncProperty(request, async ({ behaviors, isWhole, leavesAfter }) => {
        const playing = Effect.gen(function* () {
          const { health, run, warmUp } = yield* makeHedgedRequests({ quantile: 0.5, share: 1 })
          const whole = { kind: "whole", isDefault: false }
          yield* warmUp(100, isWhole ? { hedging: whole } : {})
          const { book, calls, exit, observed, sent } = yield* run({
            behaviors,
            leavesAfter,
            stepMillis: 70_000,
            ...(isWhole ? { hedging: whole, preferences: { hedge: true } } : undefined)
          })
          // The events of one provider only.
          assert.isAtMost(new Set(sent).size, 1)
          assert.isAtMost(sent.length, 2)
          // No endpoint is asked twice, and every call is in the record.
          assert.lengthOf(new Set(calls), calls.length)
          assert.sameMembers(
            observed.map(({ candidate }) => candidate.endpoint.tag),
            calls
          )
          // What was reserved is settled or released, once.
          for (const tag of ["a", "b", "c"]) {
            const reserved = book.filter((entry) => entry === `reserve ${tag}`).length
            assert.isAtMost(reserved, 1)
            assert.lengthOf(
              book.filter((entry) => entry === `end ${tag}`),
              reserved
            )
          }
          assert.isAtMost(observed.filter(({ hedge }) => hedge).length, 1)
          assert.isAtMost(observed.filter(({ lost }) => lost).length, 1)
          const answered = observed.filter(
            ({ abortReason, failure, lost }) =>
              failure === undefined && abortReason === undefined && lost === undefined
          )
          if (Exit.isSuccess(exit)) {
            assert.deepStrictEqual(exit.value.attempts, observed)
            const { served } = exit.value
            assert.lengthOf(answered, served === undefined ? 0 : 1)
            if (served !== undefined) {
              assert.strictEqual(observed.at(-1), answered[0])
              assert.strictEqual(served.candidate, answered[0]?.candidate)
              assert.strictEqual(served.value, served.candidate.endpoint.tag)
              if (!isWhole) assert.deepStrictEqual(sent, [served.value, served.value])
            }
          } else assert.isDefined(leavesAfter)
          // Nothing is left under way.
          for (const { inFlight = 0, suspected = 0 } of Object.values(
            health.snapshot(
              ["a", "b", "c"].map((tag) => `a/b@${tag}`),
              true
            ).endpoints
          )) {
            assert.deepStrictEqual([inFlight, suspected], [0, 0])
          }
        })
        await Effect.runPromise(
          Effect.scoped(Effect.provide(playing, Layer.fresh(TestClock.layer())))
        )
      }),
      { numRuns: scaleRuns(1_000) }
    ))

  it("never hedges more than its share and ten", () =>
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.array(fc.nat(3), { maxLength: 400 }),
        (share, requests) => {
          const { budget } = new Hedger({ share }, new FirstEventTimes(10))
          let hedges = 0
          let served = 0
          for (const wanted of requests) {
            budget.addRequest()
            served += 1
            for (let asked = 0; asked < wanted; asked++) {
              if (budget.take()) hedges += 1
              assert.isAtMost(hedges, 10 + share * served + 1e-9)
            }
          }
        }
      ),
      { numRuns: scaleRuns(500) }
    ))

  it("waits for the quantile of the last minute, and not less than the least", () => {
    const times = new FirstEventTimes(10)
    const hedger = new Hedger({ leastMillis: 120 }, times)
    const { endpoint } = makePricedCandidate("e", 1)
    const m = endpoint.model
    const record = (latencyMillis: number, at: number) =>
      times.record(
        "s",
        { endpoint },
        {
          endpoint: "e",
          startedAt: 0,
          at,
          result: "first_event",
          latencyMillis
        }
      )
    for (let count = 0; count < 19; count++) record(100, 1_000)
    assert.isUndefined(hedger.beginRequest("s", m, 1_000))
    record(100, 1_000)
    assert.strictEqual(hedger.beginRequest("s", m, 2_000), 120)
    for (let count = 0; count < 20; count++) record(1_000, 3_000)
    assert.closeTo(hedger.beginRequest("s", m, 4_000) ?? 0, 1_000, 80)
    assert.isUndefined(hedger.beginRequest("other", m, 4_000))
    assert.isUndefined(hedger.beginRequest("s", m, 80_000))
  })

  it.each([{ quantile: 1 }, { share: -0.1 }, { leastMillis: Number.NaN }])(
    "refuses %j",
    (options) => {
      assert.throws(() => new Hedger(options, new FirstEventTimes(1)), RangeError)
    }
  )
})
