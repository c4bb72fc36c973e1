import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { LimitExceeded } from "../../src/ledger/LedgerErrors.ts"
import { attempt, type Budget, type Served } from "../../src/routing/attempt.ts"
import type { Attempted } from "../../src/routing/Attempted.ts"
import type { Candidate } from "../../src/routing/Candidate.ts"
import { type FailureRule, failureRules, withOverrides } from "../../src/routing/failureRules.ts"
import type { TokenUsage } from "../../src/values/TokenUsage.ts"
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

type Outcome = Effect.Effect<Served<string>, UpstreamFailure | LimitExceeded>

interface Circumstances extends Partial<Budget> {
  /** Those whose probe somebody else has claimed. */
  readonly claimed?: ReadonlyArray<string>
  readonly candidates?: ReadonlyArray<Candidate>
  readonly spends?: TokenUsage
  /** Milliseconds a hold takes. */
  readonly slowLedger?: number
}

/** Walks a, b and c, where `outcomes` says what happens at each; keeps what is heard on the way. */
const walking = (
  outcomes: Readonly<Record<string, Outcome>>,
  { candidates = [a, b, c], claimed = [], slowLedger = 0, spends, ...budget }: Circumstances = {}
) => {
  const ended: Array<Attempted> = []
  const settled: Array<string> = []
  const outcomeOf = ({ endpoint }: Candidate): Outcome =>
    outcomes[endpoint.tag] ?? Effect.die(`${endpoint.tag} must not be tried`)
  const walk = attempt<string, never>(candidates, {
    budget: { maxAttempts: 5, maxCredentialAttempts: 2, deadlineAt: 60_000, ...budget },
    failureRules,
    claim: ({ endpoint }) => Effect.succeed(!claimed.includes(endpoint.tag)),
    hold: (candidate) =>
      Effect.delay(
        outcomeOf(candidate) === unpayable
          ? Effect.fail(unaffordable)
          : Effect.succeed({
              end: ({ cost }: Attempted) =>
                Effect.sync(
                  () => void settled.push(`${candidate.endpoint.tag} ${cost ?? "released"}`)
                )
            }),
        slowLedger
      ),
    run: (candidate, spent) => {
      if (spends !== undefined) spent(spends)
      return Effect.catchTag(outcomeOf(candidate), "LimitExceeded", Effect.die)
    },
    ended: (attempted) => Effect.sync(() => void ended.push(attempted))
  })
  return { walk, ended, settled }
}

const unpayable: Outcome = Effect.fail(unaffordable)

const walk = Effect.fnUntraced(function* (
  outcomes: Readonly<Record<string, Outcome>>,
  circumstances: Circumstances = {}
) {
  const { ended, walk } = walking(outcomes, circumstances)
  const { attempts, served, ...rest } = yield* walk
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
  const table: Readonly<Record<FailureKind, [fallback: boolean, health: FailureRule["health"]]>> = {
    unreachable: [true, "failure"],
    timeout: [true, "failure"],
    rate_limited: [true, "rate_limited"],
    overloaded: [true, "failure"],
    server_error: [true, "failure"],
    credential_refused: [true, "failure"],
    forbidden: [true, "ignored"],
    not_served: [true, "failure"],
    bad_request: [false, "ignored"],
    context_length: [true, "ignored"],
    unsupported_parameter: [true, "ignored"],
    content_refused: [false, "ignored"],
    invalid_answer: [true, "invalid_answer"],
    interrupted: [false, "ignored"]
  }
  it.effect.each(FailureKind.literals)("goes by the rule for %s", (kind) =>
    Effect.gen(function* () {
      const [fallback, health] = table[kind]
      assert.deepStrictEqual(failureRules[kind], { fallback, health })
      const { attempts, isFinal, served } = yield* walk({ a: failing(kind), b: serve("from b") })
      assert.deepStrictEqual(tags(attempts), fallback ? ["a", "b"] : ["a"])
      assert.strictEqual(served?.value, fallback ? "from b" : undefined)
      assert.strictEqual(isFinal, !fallback)
    })
  )

  it("takes a host's own rules, where they differ, and refuses what is no kind", () => {
    const rules = withOverrides({ bad_request: { fallback: true } })
    assert.deepStrictEqual(rules.bad_request, { fallback: true, health: "ignored" })
    assert.deepStrictEqual({ ...rules, bad_request: failureRules.bad_request }, failureRules)
    assert.throws(() => withOverrides(JSON.parse('{"no_kind":{}}')), RangeError, /no_kind/)
  })

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
        { a: unpayable, b: failing("timeout"), c: serve("from c") },
        { maxAttempts: 2 }
      )
      assert.deepStrictEqual(tags(attempts), ["b", "c"])
      assert.strictEqual(served?.value, "from c")
    })
  )

  it.effect("says that nothing could be paid when nothing could", () =>
    Effect.gen(function* () {
      const outcome = unpayable
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
      const hanging = Effect.onInterrupt(Effect.never, () =>
        Effect.sync(() => {
          interrupted = true
        })
      )
      const fiber = yield* Effect.forkChild(
        walk(
          { a: Effect.delay(failing("overloaded"), 400), b: hanging },
          { deadlineAt: 1_000, maxAttempts: 2 }
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

  it.effect("leaves time for a fallback when the first hangs, and the last gets what is left", () =>
    Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(
        walk({ a: Effect.never, b: Effect.never, c: Effect.never }, { deadlineAt: 8_000 })
      )
      yield* TestClock.adjust(8_000)
      const { attempts } = yield* Fiber.join(fiber)
      assert.deepStrictEqual(
        attempts.map(({ latencyMillis }) => latencyMillis),
        [4_000, 2_000, 2_000]
      )
    })
  )

  it.effect("starts nothing when the time is over before, and says so", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(1_000)
      const { attempts, outOfTime } = yield* walk(
        {},
        { deadlineAt: yield* Clock.currentTimeMillis }
      )
      assert.deepStrictEqual(attempts, [])
      assert.isTrue(outOfTime)
    })
  )

  it.effect("does not blame a provider for a ledger that takes all the time", () =>
    Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(
        walk({ a: serve("too late") }, { deadlineAt: 1_000, slowLedger: 5_000 })
      )
      yield* TestClock.adjust(1_000)
      const { attempts, outOfTime } = yield* Fiber.join(fiber)
      assert.deepStrictEqual(attempts, [])
      assert.isTrue(outOfTime)
    })
  )

  it.effect(
    "records an attempt whose caller leaves as interrupted, and pays what it had used",
    () =>
      Effect.gen(function* () {
        const { ended, settled, walk } = walking(
          { a: Effect.never },
          { spends: { inputTokens: 3, outputTokens: 2 } }
        )
        const fiber = yield* Effect.forkChild(walk)
        yield* TestClock.adjust(10)
        yield* Fiber.interrupt(fiber)
        assert.isTrue(Exit.hasInterrupts(yield* Fiber.await(fiber)))
        assert.deepStrictEqual(ended, [
          {
            candidate: a,
            startedAt: 0,
            latencyMillis: 10,
            failure: new UpstreamFailure({ kind: "interrupted" }),
            usage: { inputTokens: 3, outputTokens: 2 },
            cost: nano(5_000n)
          }
        ])
        assert.deepStrictEqual(settled, ["a 5000"])
      })
  )

  it.effect("passes over a probe that somebody else has claimed", () =>
    Effect.gen(function* () {
      const { attempts, served } = yield* walk({ b: serve("from b") }, { claimed: ["a"] })
      assert.deepStrictEqual(tags(attempts), ["b"])
      assert.strictEqual(served?.value, "from b")
      const failed = yield* walk(
        { b: failing("timeout"), c: failing("timeout") },
        { claimed: ["a"] }
      )
      assert.deepStrictEqual(tags(failed.attempts), ["b", "c"])
    })
  )

  it.effect("asks the best all the same when every probe is claimed and nobody else is left", () =>
    Effect.gen(function* () {
      const all = yield* walk({ a: serve("from a") }, { claimed: ["a", "b", "c"] })
      assert.deepStrictEqual(tags(all.attempts), ["a"])
      const others = yield* walk(
        { a: serve("from a"), b: unpayable, c: unpayable },
        { claimed: ["a"] }
      )
      assert.strictEqual(others.served?.value, "from a")
    })
  )

  it.effect("counts other credentials of an endpoint apart from endpoints", () =>
    Effect.gen(function* () {
      const keyed = ["k1", "k2", "k3", "k4"].map((key) => ({ ...a, id: key }))
      const { attempts } = yield* walk(
        { a: failing("credential_refused"), b: failing("timeout"), c: failing("timeout") },
        { candidates: [...keyed, b, c], maxAttempts: 2, maxCredentialAttempts: 3 }
      )
      assert.deepStrictEqual(tags(attempts), ["a", "a", "a", "a", "b"])
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

  it.effect("lets a bug through as a bug, tries nobody else, and leaves nothing reserved", () =>
    Effect.gen(function* () {
      const { ended, settled, walk } = walking({ a: Effect.die("bug") })
      assert.deepStrictEqual(yield* Effect.exit(walk), Exit.die("bug"))
      assert.deepStrictEqual(settled, ["a released"])
      assert.strictEqual(ended[0]?.failure?.kind, "server_error")
    })
  )

  it.effect("ends every hold exactly once", () =>
    Effect.gen(function* () {
      const usage = { inputTokens: 1, outputTokens: 0 }
      const { settled, walk } = walking({
        a: failing("timeout"),
        b: Effect.fail(new UpstreamFailure({ kind: "server_error", usage })),
        c: Effect.succeed({ value: "c", usage, cost: nano(7n) })
      })
      yield* walk
      assert.deepStrictEqual(settled, ["a released", "b 2000", "c 7"])
    })
  )
})
