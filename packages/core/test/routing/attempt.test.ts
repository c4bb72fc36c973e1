import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { LimitExceeded } from "../../src/ledger/LedgerErrors.ts"
import { attempt, type Budget, type Served, type Work } from "../../src/routing/attempt.ts"
import type { Attempted } from "../../src/routing/Attempted.ts"
import { failureRules } from "../../src/routing/failureRules.ts"
import { FailureKind, UpstreamFailure } from "../../src/upstreams/UpstreamFailure.ts"
import { make as nano, zero } from "../../src/values/NanoUsd.ts"
import { priced } from "./candidate.ts"

const [a, b, c] = [priced("a", 1), priced("b", 2), priced("c", 3)]
const tags = (attempts: ReadonlyArray<Attempted>) =>
  attempts.map(({ candidate }) => candidate.endpoint.tag)

const unaffordable = new LimitExceeded({
  limit: { kind: "credits", id: "x", window: "lifetime", cap: zero },
  amount: nano(1n),
  available: zero
})
const failing = (kind: FailureKind) => Effect.fail(new UpstreamFailure({ kind }))

/** Walks a, b and c, where `outcomes` says what happens at each; keeps what `ended` hears. */
const walk = Effect.fnUntraced(function* (
  outcomes: Readonly<
    Record<string, Effect.Effect<Served<string>, UpstreamFailure | LimitExceeded>>
  >,
  budget: Partial<Budget> = {}
) {
  const ended: Array<Attempted> = []
  const work: Work<string, never> = ({ endpoint }) =>
    outcomes[endpoint.tag] ?? Effect.die(`${endpoint.tag} must not be tried`)
  const { attempts, served, ...rest } = yield* attempt([a, b, c], work, {
    budget: { maxAttempts: 5, deadlineAt: 60_000, ...budget },
    ended: (attempted) => Effect.sync(() => void ended.push(attempted))
  })
  assert.deepStrictEqual(ended, attempts)
  return { attempts, served, ...rest }
})

const serve = (value: string) => Effect.succeed({ value })

describe("attempt", () => {
  it.effect("stops at the first that serves, and tells when and how long it took", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(1_000)
      const fiber = yield* Effect.forkChild(
        walk({
          a: Effect.delay(failing("overloaded"), 30),
          b: Effect.delay(
            Effect.succeed({
              value: "from b",
              usage: { inputTokens: 1, outputTokens: 2 },
              cost: nano(9n)
            }),
            12
          )
        })
      )
      yield* TestClock.adjust(100)
      const { attempts, served, unaffordable } = yield* Fiber.join(fiber)
      assert.deepStrictEqual(served, { candidate: b, value: "from b" })
      assert.deepStrictEqual(attempts, [
        {
          candidate: a,
          startedAt: 1_000,
          latencyMillis: 30,
          failure: new UpstreamFailure({ kind: "overloaded" })
        },
        {
          candidate: b,
          startedAt: 1_030,
          latencyMillis: 12,
          usage: { inputTokens: 1, outputTokens: 2 },
          cost: nano(9n)
        }
      ])
      assert.isUndefined(unaffordable)
    })
  )

  // Source: semantics A8.
  const table: Readonly<Record<FailureKind, [fallback: boolean, countsAgainstHealth: boolean]>> = {
    unreachable: [true, true],
    timeout: [true, true],
    rate_limited: [true, false],
    overloaded: [true, true],
    server_error: [true, true],
    credential_refused: [true, true],
    forbidden: [true, false],
    not_served: [true, true],
    bad_request: [false, false],
    context_length: [true, false],
    unsupported_parameter: [true, false],
    content_refused: [false, false],
    invalid_answer: [true, true]
  }
  it.effect.each(FailureKind.literals)("goes by the rule for %s", (kind) =>
    Effect.gen(function* () {
      const [fallback, countsAgainstHealth] = table[kind]
      assert.deepStrictEqual(failureRules[kind], { fallback, countsAgainstHealth })
      const { attempts, served } = yield* walk({ a: failing(kind), b: serve("from b") })
      assert.deepStrictEqual(tags(attempts), fallback ? ["a", "b"] : ["a"])
      assert.strictEqual(served?.value, fallback ? "from b" : undefined)
    })
  )

  it.effect("comes home with every failure when all fail", () =>
    Effect.gen(function* () {
      const { attempts, served } = yield* walk({
        a: failing("timeout"),
        b: failing("rate_limited"),
        c: failing("server_error")
      })
      assert.isUndefined(served)
      assert.deepStrictEqual(
        attempts.map(({ failure }) => failure?.kind),
        ["timeout", "rate_limited", "server_error"]
      )
    })
  )

  it.effect("makes no more attempts than the budget has", () =>
    Effect.gen(function* () {
      const { attempts } = yield* walk(
        { a: failing("timeout"), b: failing("timeout") },
        { maxAttempts: 2 }
      )
      assert.deepStrictEqual(tags(attempts), ["a", "b"])
    })
  )

  it.effect("passes over what cannot be paid, without counting it", () =>
    Effect.gen(function* () {
      const { attempts, served } = yield* walk(
        { a: Effect.fail(unaffordable), b: failing("timeout"), c: serve("from c") },
        { maxAttempts: 2 }
      )
      assert.deepStrictEqual(tags(attempts), ["b", "c"])
      assert.strictEqual(served?.value, "from c")
    })
  )

  it.effect("says that nothing could be paid when nothing could", () =>
    Effect.gen(function* () {
      const outcome = Effect.fail(unaffordable)
      const none = yield* walk({ a: outcome, b: outcome, c: outcome })
      assert.deepStrictEqual(none.attempts, [])
      assert.strictEqual(none.unaffordable, unaffordable)
      const some = yield* walk({ a: failing("timeout"), b: outcome, c: outcome })
      assert.deepStrictEqual(tags(some.attempts), ["a"])
      assert.strictEqual(some.unaffordable, unaffordable)
    })
  )

  it.effect("interrupts what is running when the time is over, and starts nothing more", () =>
    Effect.gen(function* () {
      let interrupted = false
      const fiber = yield* Effect.forkChild(
        walk(
          {
            a: Effect.delay(failing("overloaded"), 400),
            b: Effect.onInterrupt(Effect.never, () =>
              Effect.sync(() => {
                interrupted = true
              })
            )
          },
          { deadlineAt: 1_000 }
        )
      )
      yield* TestClock.adjust(999)
      assert.isFalse(interrupted)
      yield* TestClock.adjust(1)
      const { attempts, served } = yield* Fiber.join(fiber)
      assert.isTrue(interrupted)
      assert.isUndefined(served)
      assert.deepStrictEqual(tags(attempts), ["a", "b"])
      assert.deepStrictEqual(
        attempts[1]?.failure,
        new UpstreamFailure({ kind: "timeout", phase: "total" })
      )
      assert.strictEqual(attempts[1]?.latencyMillis, 600)
    })
  )

  it.effect("starts nothing when the time is over before", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(1_000)
      assert.deepStrictEqual(yield* walk({}, { deadlineAt: yield* Clock.currentTimeMillis }), {
        attempts: [],
        served: undefined
      })
    })
  )

  it.effect("interrupts the work when its caller leaves, and calls that no attempt", () =>
    Effect.gen(function* () {
      const heard: Array<string> = []
      const fiber = yield* Effect.forkChild(
        attempt(
          [a, b],
          ({ endpoint }) =>
            Effect.onInterrupt(Effect.never, () =>
              Effect.sync(() => void heard.push(`interrupted ${endpoint.tag}`))
            ),
          {
            budget: { maxAttempts: 5, deadlineAt: 60_000 },
            ended: ({ candidate }) =>
              Effect.sync(() => void heard.push(`ended ${candidate.endpoint.tag}`))
          }
        )
      )
      yield* TestClock.adjust(10)
      yield* Fiber.interrupt(fiber)
      assert.isTrue(Exit.hasInterrupts(yield* Fiber.await(fiber)))
      assert.deepStrictEqual(heard, ["interrupted a"])
    })
  )

  it.effect("pays for a failed attempt as far as its upstream said what it used", () =>
    Effect.gen(function* () {
      const usage = { inputTokens: 3, outputTokens: 2 }
      const { attempts } = yield* walk({
        a: Effect.fail(new UpstreamFailure({ kind: "invalid_answer", usage })),
        b: failing("timeout"),
        c: serve("from c")
      })
      assert.deepStrictEqual(
        attempts.map(({ cost, usage }) => ({ cost, usage })),
        [
          { cost: nano(5_000n), usage },
          { cost: undefined, usage: undefined },
          { cost: undefined, usage: undefined }
        ]
      )
    })
  )

  it.effect("lets a bug through as a bug, and tries nobody else", () =>
    Effect.gen(function* () {
      const exit = yield* Effect.exit(walk({ a: Effect.die("bug") }))
      assert.deepStrictEqual(exit, Exit.die("bug"))
    })
  )
})
