/** For every order of answers, failures and callers that leave, each suspicion ends, and each failure counts once. */
import { assert, describe, it } from "vitest"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import fc from "fast-check"
import { scaleRuns } from "../../../../../../vitest.scope.ts"
import { Health } from "../../../../src/engine/health/Health.ts"
import { UpstreamFailure } from "../../../../src/engine/upstreams/failures/UpstreamFailure.ts"
import { getSuspectMillis } from "../../../../src/routing/attempt/lateness/getSuspectMillis.ts"
import { makePricedCandidate } from "../../makeCandidate.ts"
import { makeScriptedEngine, runRequest } from "../runScriptedAttempts.ts"

const a = makePricedCandidate("a", 1)

const request = fc.record({
  startsAfter: fc.nat(500),
  firstMillis: fc.oneof(fc.nat(300), fc.integer({ min: 900, max: 1_100 }), fc.nat(6_000)),
  result: fc.constantFrom("serve", "serve", "fail", "break", "hang"),
  leavesAfter: fc.option(fc.nat(5_000), { nil: undefined })
})

describe("suspected attempts", () => {
  it("count as failures only while they are late", () =>
    fc.assert(
      fc.asyncProperty(fc.array(request, { maxLength: 12 }), async (requests) => {
        const playing = Effect.gen(function* () {
          const health = Context.get(yield* Layer.build(Health.layer), Health)
          const engine = yield* makeScriptedEngine({ health, reserve: undefined })
          const ask = (run: Parameters<typeof runRequest<string, never>>[1]["run"]) =>
            Effect.flatMap(Clock.currentTimeMillis, (now) =>
              runRequest<string, never>(engine, {
                candidates: [a],
                deadlineAt: now + 3_000,
                hedging: { kind: "stream", isDefault: true },
                run
              })
            )
          for (let count = 0; count < 20; count++) {
            yield* ask((_, __, commit) => Effect.as(Effect.sync(commit), { value: "warm" }))
          }
          let failures = 0
          let underWay = 0
          const fibers = yield* Effect.forEach(
            requests,
            ({ firstMillis, leavesAfter = 10_000, result, startsAfter }) =>
              ask((_, __, commit) =>
                Effect.gen(function* () {
                  underWay += 1
                  yield* result === "hang" ? Effect.never : Effect.sleep(firstMillis)
                  if (result === "fail") return yield* new UpstreamFailure({ kind: "overloaded" })
                  commit()
                  underWay -= 1
                  if (result === "break") return yield* new UpstreamFailure({ kind: "unreachable" })
                  return { value: "answer" }
                })
              ).pipe(
                Effect.tap(({ attempts }) =>
                  Effect.sync(() => {
                    failures += attempts.filter(
                      // A time that the caller cut short says nothing about the endpoint.
                      ({ failure }) => failure !== undefined && failure.phase !== "total"
                    ).length
                  })
                ),
                Effect.timeoutOption(leavesAfter),
                Effect.delay(startsAfter),
                Effect.forkChild({ startImmediately: true })
              )
          )
          for (let step = 0; step < 80; step++) {
            yield* TestClock.adjust(100)
            const { errors, suspected = 0 } = health.snapshot([a.id]).endpoints[a.id]!
            assert.isAtMost(suspected, underWay)
            const counted = Object.values(errors).reduce((sum, count) => sum + count, 0)
            assert.isAtMost(counted, requests.length)
          }
          yield* Effect.forEach(fibers, Fiber.await)
          yield* TestClock.adjust(1_000)
          const { errors, suspected } = health.snapshot([a.id]).endpoints[a.id]!
          assert.isUndefined(suspected)
          assert.strictEqual(
            Object.values(errors).reduce((sum, count) => sum + count, 0),
            failures
          )
        })
        await Effect.runPromise(Effect.scoped(Effect.provide(playing, TestClock.layer())))
      }),
      { numRuns: scaleRuns(100) }
    ))

  it("are never suspected before the floor, and later with longer prompts", () =>
    fc.assert(
      fc.property(
        fc.option(fc.double({ min: 0, max: 600_000, noNaN: true }), { nil: undefined }),
        fc.nat(1_000_000),
        fc.nat(1_000_000),
        fc.nat(60_000),
        (p99, tokens, more, floor) => {
          const millis = getSuspectMillis(p99, tokens, floor)
          assert.isAtLeast(millis, floor)
          if (p99 !== undefined) assert.isAtLeast(millis, 2 * p99)
          assert.isAtLeast(getSuspectMillis(p99, tokens + more, floor), millis)
        }
      ),
      { numRuns: scaleRuns(500) }
    ))
})
