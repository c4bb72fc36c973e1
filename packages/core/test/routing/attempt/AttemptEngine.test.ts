import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Logger from "effect/Logger"
import * as TestClock from "effect/testing/TestClock"
import type { Reservation } from "../../../src/engine/ledger/Ledger.ts"
import { LimitExceeded } from "../../../src/engine/ledger/LedgerErrors.ts"
import type { AttemptBudget } from "../../../src/routing/attempt/attemptBudget.ts"
import type { AttemptSuccess } from "../../../src/routing/RouteWork.ts"
import type { Health } from "../../../src/engine/health/Health.ts"
import type { RouteAttempt } from "../../../src/routing/attempt/RouteAttempt.ts"
import { type Candidate, withCredential } from "../../../src/routing/Candidate.ts"
import {
  type FailureRule,
  failureRules,
  applyFailureOverrides
} from "../../../src/routing/attempt/failureRules.ts"
import {
  FailureKind,
  UpstreamFailure
} from "../../../src/engine/upstreams/failures/UpstreamFailure.ts"
import { make as nano, type NanoUsd, zero } from "../../../src/values/usage/NanoUsd.ts"
import type { TokenUsage } from "../../../src/values/usage/TokenUsage.ts"
import { makeCandidate, makePricedCandidate } from "../makeCandidate.ts"
import { runScriptedAttempts } from "./runScriptedAttempts.ts"

const [a, b, c] = [
  makePricedCandidate("a", 1),
  makePricedCandidate("b", 2),
  makePricedCandidate("c", 3)
]
const tags = (attempts: ReadonlyArray<RouteAttempt>) =>
  attempts.map(({ candidate }) => candidate.endpoint.tag)

const unaffordable = new LimitExceeded({
  limit: {
    kind: "credits",
    id: "x",
    interval: "lifetime",
    window: "lifetime",
    endsAt: Infinity,
    countsByok: false,
    cap: zero
  },
  amount: nano(1n),
  available: zero
})
const failWith = (kind: FailureKind) => Effect.fail(new UpstreamFailure({ kind }))

interface AttemptScript {
  readonly health?: Partial<Health["Service"]>
  readonly candidates?: ReadonlyArray<Candidate>
  /** Candidates whose probe another request has claimed. */
  readonly claimed?: ReadonlyArray<string>
  readonly budget?: Partial<AttemptBudget> & {
    readonly deadlineAt?: number
    readonly streamTimeoutMillis?: number
  }
  /** The effect of the ledger before each attempt; default: nothing is reserved. */
  readonly reserve?: (candidate: Candidate) => Effect.Effect<Reservation | undefined, LimitExceeded>
  /** Receives each attempt as it ends. */
  readonly ended?: Array<RouteAttempt>
  /** Receives each attempt that is charged. */
  readonly paid?: Array<RouteAttempt>
}

/** Tries a, b and c, with the scripted `outcomes`. */
const runPlan = Effect.fnUntraced(function* (
  outcomes: Readonly<
    Record<
      string,
      | Effect.Effect<AttemptSuccess<string>, UpstreamFailure>
      | ((
          spent: (usage: TokenUsage) => void,
          candidate: Candidate,
          commit: () => boolean
        ) => Effect.Effect<AttemptSuccess<string>, UpstreamFailure>)
    >
  >,
  {
    budget = {},
    candidates = [a, b, c],
    health = {},
    claimed = [],
    ended = [],
    paid = [],
    reserve
  }: AttemptScript = {}
) {
  const { deadlineAt = 60_000, ...settings } = budget
  const { attempts, ...rest } = yield* runScriptedAttempts({
    candidates,
    claimed,
    health,
    reserve,
    run: (candidate, reportUsage, commit) => {
      const { tag } = candidate.endpoint
      const outcome = outcomes[tag] ?? Effect.die(`${tag} must not be tried`)
      return typeof outcome === "function" ? outcome(reportUsage, candidate, commit) : outcome
    },
    observer: {
      onAttempt: (attempted) => void ended.push(attempted),
      onCharge: (attempted) => Effect.sync(() => void paid.push(attempted))
    },
    deadlineAt,
    settings: { maxCredentialAttempts: 2, ...settings }
  })
  assert.deepStrictEqual(ended, attempts)
  return { attempts, ...rest }
})

/** Reserves after a delay, and logs what happens to reservations. */
const ledger = (millis = 0) => {
  const book: Array<string> = []
  const reserve = ({ endpoint: { tag } }: Candidate): Effect.Effect<Reservation> =>
    Effect.delay(
      Effect.sync(() => {
        book.push(`reserved ${tag}`)
        return {
          settle: (spent) =>
            Effect.sync(() => {
              book.push(`settled ${spent} ${tag}`)
              return { charged: spent, overrun: zero }
            }),
          release: Effect.sync(() => void book.push(`released ${tag}`))
        }
      }),
      millis
    )
  return { book, reserve }
}

const serve = (value: string) => Effect.succeed({ value })

/** Commits after 400 ms, and then lasts this much longer. */
const makeStream = (millis: number) => ({
  a: (_: unknown, __: unknown, commit: () => boolean) =>
    Effect.delay(Effect.sync(commit), 400).pipe(
      Effect.andThen(Effect.sleep(millis)),
      Effect.as({ value: "from a" })
    )
})

const hangUntilInterrupted = (interrupted: Array<string>, tag: string) =>
  Effect.onInterrupt(Effect.never, () => Effect.sync(() => void interrupted.push(tag)))

const own = (shared: Candidate, ...ids: ReadonlyArray<string>) =>
  ids.map((id, sortOrder) =>
    withCredential(shared, { id, sortOrder, isFallback: false, declaredZdr: null })
  )
const ids = (attempts: ReadonlyArray<RouteAttempt>) => attempts.map(({ candidate }) => candidate.id)

describe("a price that depends on the time", () => {
  it.effect("is that of the end of the attempt", () =>
    Effect.gen(function* () {
      const changing = makeCandidate({
        provider: "changing",
        price: {
          prompt: "0.000002",
          completion: "0",
          overrides: [{ utc_start: 0, utc_end: 600, prompt: "0.000001" }]
        }
      })
      const end = Date.parse("2030-01-07T06:00Z")
      yield* TestClock.setTime(end - 1_000)
      const usage = { inputTokens: 1, outputTokens: 0 }
      const costs: Array<NanoUsd | undefined> = []
      for (const millis of [0, 999, 1]) {
        const running = yield* Effect.forkChild(
          runPlan(
            { changing: Effect.as(Effect.sleep(millis), { value: "x", usage }) },
            { candidates: [changing], budget: { deadlineAt: end + 60_000 } }
          )
        )
        yield* TestClock.adjust(millis)
        const { attempts } = yield* Fiber.join(running)
        costs.push(attempts[0]?.cost)
      }
      assert.deepStrictEqual(costs, [nano(1_000n), nano(1_000n), nano(2_000n)])
    })
  )
})

describe("AttemptEngine", () => {
  it.effect("stops at the first candidate that serves, and reports its time and latency", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(1_000)
      const fiber = yield* Effect.forkChild(
        runPlan({
          a: Effect.delay(failWith("overloaded"), 30),
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
      const { attempts, served } = yield* Fiber.join(fiber)
      assert.deepStrictEqual(served, { candidate: b, value: "from b" })
      assert.deepStrictEqual(attempts, [
        {
          candidate: a,
          chargedAt: 1_000,
          startedAt: 1_000,
          latencyMillis: 30,
          failure: new UpstreamFailure({ kind: "overloaded" })
        },
        {
          candidate: b,
          chargedAt: 1_030,
          startedAt: 1_030,
          latencyMillis: 12,
          usage: { inputTokens: 1, outputTokens: 2 },
          cost: nano(9n)
        }
      ])
    })
  )

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
    defect: [true, "failure"]
  }
  it.effect.each(FailureKind.literals)("applies the rule for %s", (kind) =>
    Effect.gen(function* () {
      const [fallback, health] = table[kind]
      assert.deepStrictEqual(failureRules[kind], { fallback, health })
      const { attempts, isFinal, served } = yield* runPlan({
        a: failWith(kind),
        b: serve("from b")
      })
      assert.deepStrictEqual(tags(attempts), fallback ? ["a", "b"] : ["a"])
      assert.strictEqual(served?.value, fallback ? "from b" : undefined)
      assert.strictEqual(isFinal, fallback ? undefined : true)
    })
  )

  it.effect("skips endpoints without a larger context after a context length failure", () =>
    Effect.gen(function* () {
      const [small, same, large] = [100, 100, 200].map((contextLength, i) =>
        makeCandidate({ provider: "abc".charAt(i), contextLength })
      )
      const other = makeCandidate({ provider: "d", of: "a/c", contextLength: 50 })
      const again = withCredential(small!, {
        id: "k",
        sortOrder: 0,
        isFallback: true,
        declaredZdr: null
      })
      const tooLong = failWith("context_length")
      const { attempts, served } = yield* runPlan(
        { a: tooLong, c: tooLong, d: serve("from d") },
        { candidates: [small!, again, same!, large!, other] }
      )
      assert.deepStrictEqual(tags(attempts), ["a", "c", "d"])
      assert.strictEqual(served?.value, "from d")
      const unsaid = yield* runPlan({ a: tooLong, b: serve("from b") })
      assert.strictEqual(unsaid.served?.value, "from b")
    })
  )

  it.effect.each(["bad_request", "content_refused"] as const)(
    "falls back to another model after %s",
    (kind) =>
      Effect.gen(function* () {
        const other = makeCandidate({ provider: "d", of: "a/c" })
        const { attempts, isFinal, served } = yield* runPlan(
          { a: failWith(kind), d: serve("from d") },
          { candidates: [a, b, other] }
        )
        assert.deepStrictEqual(tags(attempts), ["a", "d"])
        assert.strictEqual(served?.value, "from d")
        assert.isUndefined(isFinal)
        const last = yield* runPlan(
          { a: failWith("server_error"), b: failWith(kind), d: failWith(kind) },
          { candidates: [a, b, c, other] }
        )
        assert.deepStrictEqual(tags(last.attempts), ["a", "b", "d"])
        assert.isTrue(last.isFinal)
      })
  )

  it("applies the host's overrides, and rejects an unknown kind", () => {
    const rules = applyFailureOverrides({ bad_request: { fallback: true } })
    assert.deepStrictEqual(rules.bad_request, { fallback: true, health: "ignored" })
    assert.deepStrictEqual({ ...rules, bad_request: failureRules.bad_request }, failureRules)
    assert.throws(() => applyFailureOverrides(JSON.parse('{"no_kind":{}}')), RangeError, /no_kind/)
  })

  it.effect("returns every failure when all attempts fail", () =>
    Effect.gen(function* () {
      const { attempts, served } = yield* runPlan({
        a: failWith("timeout"),
        b: failWith("rate_limited"),
        c: failWith("server_error")
      })
      assert.isUndefined(served)
      assert.deepStrictEqual(
        attempts.map(({ failure }) => failure?.kind),
        ["timeout", "rate_limited", "server_error"]
      )
    })
  )

  it.effect("makes at most as many attempts as the budget allows", () =>
    Effect.gen(function* () {
      const { attempts } = yield* runPlan(
        { a: failWith("timeout"), b: failWith("timeout") },
        { budget: { maxAttempts: 2 } }
      )
      assert.deepStrictEqual(tags(attempts), ["a", "b"])
    })
  )

  it.effect("skips candidates that cannot be reserved, without counting them", () =>
    Effect.gen(function* () {
      const { attempts, served } = yield* runPlan(
        { b: failWith("timeout"), c: serve("from c") },
        {
          budget: { maxAttempts: 2 },
          reserve: (candidate) =>
            candidate === a ? Effect.fail(unaffordable) : Effect.succeed(undefined)
        }
      )
      assert.deepStrictEqual(tags(attempts), ["b", "c"])
      assert.strictEqual(served?.value, "from c")
    })
  )

  it.effect("returns the reservation error when nothing could be reserved", () =>
    Effect.gen(function* () {
      const none = yield* runPlan({}, { reserve: () => Effect.fail(unaffordable) })
      assert.deepStrictEqual(none, { attempts: [], reservationError: unaffordable })
      const some = yield* runPlan(
        { a: failWith("timeout") },
        {
          reserve: (candidate) =>
            candidate === a ? Effect.succeed(undefined) : Effect.fail(unaffordable)
        }
      )
      assert.deepStrictEqual(tags(some.attempts), ["a"])
      assert.strictEqual(some.reservationError, unaffordable)
    })
  )

  it.effect("interrupts the attempt at the deadline, and starts no other", () =>
    Effect.gen(function* () {
      const interrupted: Array<string> = []
      const fiber = yield* Effect.forkChild(
        runPlan(
          {
            a: Effect.delay(failWith("overloaded"), 400),
            b: hangUntilInterrupted(interrupted, "b")
          },
          { budget: { deadlineAt: 1_000, maxAttempts: 2 } }
        )
      )
      yield* TestClock.adjust(999)
      assert.deepStrictEqual(interrupted, [])
      yield* TestClock.adjust(1)
      const { attempts, served } = yield* Fiber.join(fiber)
      assert.deepStrictEqual(interrupted, ["b"])
      assert.isUndefined(served)
      assert.deepStrictEqual(tags(attempts), ["a", "b"])
      assert.deepStrictEqual(
        attempts[1]?.failure,
        new UpstreamFailure({ kind: "timeout", phase: "total" })
      )
      assert.strictEqual(attempts[1]?.latencyMillis, 600)
    })
  )

  it.effect("keeps time for a fallback when a provider hangs", () =>
    Effect.gen(function* () {
      const interrupted: Array<string> = []
      const fiber = yield* Effect.forkChild(
        runPlan(
          {
            a: hangUntilInterrupted(interrupted, "a"),
            b: hangUntilInterrupted(interrupted, "b"),
            c: Effect.delay(serve("from c"), 249)
          },
          { budget: { deadlineAt: 1_000 } }
        )
      )
      yield* TestClock.adjust(1_000)
      const { attempts, served } = yield* Fiber.join(fiber)
      assert.strictEqual(served?.value, "from c")
      assert.deepStrictEqual(
        attempts.map(({ failure, latencyMillis }) => [
          failure?.kind,
          failure?.phase,
          latencyMillis
        ]),
        [
          ["timeout", "attempt", 500],
          ["timeout", "attempt", 250],
          [undefined, undefined, 249]
        ]
      )
      assert.deepStrictEqual(interrupted, ["a", "b"])
    })
  )

  it.effect("keeps no time for a fallback that is impossible", () =>
    Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(
        runPlan(
          { a: Effect.delay(serve("from a"), 999) },
          { budget: { deadlineAt: 1_000, maxAttempts: 1 } }
        )
      )
      yield* TestClock.adjust(999)
      assert.strictEqual((yield* Fiber.join(fiber)).served?.value, "from a")
    })
  )

  it.effect("starts nothing after the deadline", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(1_000)
      const deadlineAt = yield* Clock.currentTimeMillis
      assert.deepStrictEqual(yield* runPlan({}, { budget: { deadlineAt } }), {
        attempts: [],
        isTimedOut: true
      })
    })
  )

  it.effect("interrupts and records the attempt when the caller disconnects", () =>
    Effect.gen(function* () {
      const interrupted: Array<string> = []
      const ended: Array<RouteAttempt> = []
      const fiber = yield* Effect.forkChild(
        runPlan({ a: failWith("timeout"), b: hangUntilInterrupted(interrupted, "b") }, { ended })
      )
      yield* TestClock.adjust(10)
      yield* Fiber.interrupt(fiber)
      assert.isTrue(Exit.hasInterrupts(yield* Fiber.await(fiber)))
      assert.deepStrictEqual(interrupted, ["b"])
      assert.deepStrictEqual(ended[1], {
        candidate: b,
        chargedAt: 0,
        startedAt: 0,
        latencyMillis: 10,
        abortReason: "interrupted"
      })
      assert.lengthOf(ended, 2)
    })
  )

  it.effect("records every charge, even if the caller disconnects in between", () =>
    Effect.gen(function* () {
      const ended: Array<RouteAttempt> = []
      const slow = ledger()
      const reserve = (candidate: Candidate) =>
        Effect.map(slow.reserve(candidate), (reservation) => ({
          ...reservation,
          settle: (spent: NanoUsd) => Effect.delay(reservation.settle(spent), 50)
        }))
      const cost = nano(7n)
      const fiber = yield* Effect.forkChild(
        runPlan({ a: Effect.succeed({ value: "from a", cost }) }, { reserve, ended })
      )
      yield* TestClock.adjust(10)
      const leaving = yield* Effect.forkChild(Fiber.interrupt(fiber))
      assert.deepStrictEqual(ended, [])
      yield* TestClock.adjust(40)
      yield* Fiber.join(leaving)
      assert.deepStrictEqual(slow.book, ["reserved a", "settled 7 a"])
      assert.deepStrictEqual(
        ended.map(({ cost }) => cost),
        [cost]
      )
    })
  )

  it.effect("does not fall back once the caller has part of the answer", () =>
    Effect.gen(function* () {
      const { attempts, isFinal, served } = yield* runPlan({
        a: (_, __, commit) => Effect.andThen(Effect.sync(commit), failWith("overloaded"))
      })
      assert.isUndefined(served)
      assert.isTrue(isFinal)
      assert.deepStrictEqual(
        attempts.map(({ firstEventMillis }) => firstEventMillis),
        [0]
      )
    })
  )

  it.effect("gives a committed stream the timeout of streams", () =>
    Effect.gen(function* () {
      const [inTime, late] = yield* Effect.forEach([4_999, 5_001], (millis) =>
        Effect.gen(function* () {
          yield* TestClock.setTime(0)
          const fiber = yield* Effect.forkChild(
            runPlan(makeStream(millis), {
              budget: { deadlineAt: 1_000, streamTimeoutMillis: 5_000 }
            })
          )
          yield* TestClock.adjust(10_000)
          return yield* Fiber.join(fiber)
        })
      )
      assert.strictEqual(inTime?.served?.value, "from a")
      assert.deepStrictEqual(
        inTime?.attempts.map(({ firstEventMillis, latencyMillis }) => [
          firstEventMillis,
          latencyMillis
        ]),
        [[400, 5_399]]
      )
      assert.deepStrictEqual(
        late?.attempts.map(({ failure, latencyMillis }) => [failure?.phase, latencyMillis]),
        [["total", 5_400]]
      )
    })
  )

  it.effect("records the first event of a stream when it comes, and counts what is under way", () =>
    Effect.gen(function* () {
      const log: Array<unknown> = []
      const health: Partial<Health["Service"]> = {
        begin: (id) => void log.push(["begin", id]),
        end: (id) => void log.push(["end", id]),
        record: ({ at, latencyMillis, result }) => void log.push([result, at, latencyMillis])
      }
      const fiber = yield* Effect.forkChild(runPlan(makeStream(600), { health }))
      yield* TestClock.adjust(400)
      assert.deepStrictEqual(log, [
        ["begin", "a/b@a"],
        ["first_event", 400, 400]
      ])
      yield* TestClock.adjust(600)
      yield* Fiber.join(fiber)
      assert.deepStrictEqual(log.slice(2), [
        ["end", "a/b@a"],
        ["success", 1_000, undefined]
      ])
    })
  )

  it.effect("ends the count of attempts that fail at once or are interrupted", () =>
    Effect.gen(function* () {
      const counts = new Map<string, number>()
      const add = (id: string, by: number) => counts.set(id, (counts.get(id) ?? 0) + by)
      const health: Partial<Health["Service"]> = {
        begin: (id) => void add(id, 1),
        end: (id) => void add(id, -1)
      }
      const fiber = yield* Effect.forkChild(
        runPlan({ a: failWith("overloaded"), b: Effect.never }, { health, ended: [] })
      )
      yield* TestClock.adjust(1)
      assert.deepStrictEqual(Array.from(counts), [
        ["a/b@a", 0],
        ["a/b@b", 1]
      ])
      yield* Fiber.interrupt(fiber)
      assert.strictEqual(counts.get("a/b@b"), 0)
    })
  )

  it.effect("answers although the ledger fails to settle", () =>
    Effect.gen(function* () {
      const broken = { settle: () => Effect.die("down"), release: Effect.die("down") }
      const paid: Array<RouteAttempt> = []
      const { attempts, served } = yield* runPlan(
        { a: failWith("timeout"), b: Effect.succeed({ value: "from b", cost: nano(7n) }) },
        { paid, reserve: () => Effect.succeed(broken) }
      )
      assert.strictEqual(served?.value, "from b")
      assert.lengthOf(attempts, 2)
      assert.deepStrictEqual(paid, [])
    }).pipe(Effect.provide(Logger.layer([])))
  )

  it.effect("answers by the deadline while a slow ledger settles in the background", () =>
    Effect.gen(function* () {
      let paid = 0
      const settle = () =>
        Effect.delay(
          Effect.sync(() => {
            paid += 1
            return { charged: zero, overrun: zero }
          }),
          5_000
        )
      const fiber = yield* Effect.forkChild(
        runPlan(
          { a: Effect.delay(Effect.succeed({ value: "from a", cost: nano(7n) }), 300) },
          {
            budget: { deadlineAt: 1_000 },
            reserve: () => Effect.succeed({ settle, release: Effect.die("not to be released") })
          }
        )
      )
      yield* TestClock.adjust(1_000)
      const { served } = yield* Fiber.join(fiber)
      assert.deepStrictEqual([served?.value, paid], ["from a", 0])
      yield* TestClock.adjust(5_000)
      assert.strictEqual(paid, 1)
    })
  )

  describe("while it waits for the ledger", () => {
    it.effect("does not count the wait against the provider", () =>
      Effect.gen(function* () {
        const { book, reserve } = ledger(300)
        const fiber = yield* Effect.forkChild(
          runPlan(
            { a: Effect.delay(failWith("overloaded"), 10), b: Effect.delay(serve("from b"), 20) },
            { budget: { deadlineAt: 1_000 }, reserve }
          )
        )
        yield* TestClock.adjust(1_000)
        const { attempts } = yield* Fiber.join(fiber)
        assert.deepStrictEqual(
          attempts.map(({ latencyMillis, startedAt }) => [startedAt, latencyMillis]),
          [
            [300, 10],
            [610, 20]
          ]
        )
        assert.deepStrictEqual(book, ["reserved a", "released a", "reserved b", "released b"])
      })
    )

    it.effect("times out without an attempt or a reservation", () =>
      Effect.gen(function* () {
        const { book, reserve } = ledger(5_000)
        const fiber = yield* Effect.forkChild(
          runPlan({}, { budget: { deadlineAt: 1_000 }, reserve })
        )
        yield* TestClock.adjust(1_000)
        assert.deepStrictEqual(yield* Fiber.join(fiber), {
          attempts: [],
          isStorageLate: true,
          isTimedOut: true
        })
        assert.deepStrictEqual(book, [])
        yield* TestClock.adjust(4_000)
        assert.deepStrictEqual(book, ["reserved a", "released a"])
      })
    )

    it.effect("is interruptible, without leaving a reservation", () =>
      Effect.gen(function* () {
        const { book, reserve } = ledger(5_000)
        const fiber = yield* Effect.forkChild(runPlan({}, { reserve }))
        yield* TestClock.adjust(10)
        yield* Fiber.interrupt(fiber)
        assert.isTrue(Exit.hasInterrupts(yield* Fiber.await(fiber)))
        assert.deepStrictEqual(book, [])
        yield* TestClock.adjust(4_990)
        assert.deepStrictEqual(book, ["reserved a", "released a"])
      })
    )

    it.effect("releases a reservation that arrives at the deadline", () =>
      Effect.gen(function* () {
        const { book, reserve } = ledger(1_000)
        const fiber = yield* Effect.forkChild(
          runPlan({}, { budget: { deadlineAt: 1_000 }, reserve })
        )
        yield* TestClock.adjust(1_000)
        assert.deepStrictEqual(yield* Fiber.join(fiber), {
          attempts: [],
          isStorageLate: true,
          isTimedOut: true
        })
        assert.deepStrictEqual(book, ["reserved a", "released a"])
      })
    )
  })

  describe("charges the reported usage", () => {
    const usage = { inputTokens: 3, outputTokens: 2 }
    /** Two requests at a, 5 tokens each at a micro-USD, and never an answer. */
    const talkative = (spent: (usage: TokenUsage) => void) =>
      Effect.suspend(() => {
        spent(usage)
        spent(usage)
        // Not a count, so it has no price.
        spent({ inputTokens: Number.NaN, outputTokens: 1 })
        return Effect.never
      })
    const heard = { usage: { inputTokens: 6, outputTokens: 4, requests: 2 }, cost: nano(10_000n) }

    it.effect("when the caller disconnects", () =>
      Effect.gen(function* () {
        const { book, reserve } = ledger()
        const ended: Array<RouteAttempt> = []
        const fiber = yield* Effect.forkChild(runPlan({ a: talkative }, { reserve, ended }))
        yield* TestClock.adjust(10)
        yield* Fiber.interrupt(fiber)
        assert.deepStrictEqual(ended, [
          {
            candidate: a,
            chargedAt: 0,
            startedAt: 0,
            latencyMillis: 10,
            abortReason: "interrupted",
            ...heard
          }
        ])
        assert.deepStrictEqual(book, ["reserved a", "settled 10000 a"])
      })
    )

    it.effect("after a timeout", () =>
      Effect.gen(function* () {
        const { book, reserve } = ledger()
        const fiber = yield* Effect.forkChild(
          runPlan({ a: talkative }, { reserve, budget: { deadlineAt: 100, maxAttempts: 1 } })
        )
        yield* TestClock.adjust(100)
        const { attempts } = yield* Fiber.join(fiber)
        assert.deepInclude(attempts[0], heard)
        assert.deepStrictEqual(book, ["reserved a", "settled 10000 a"])
      })
    )

    it.effect("after a defect", () =>
      Effect.gen(function* () {
        const { book, reserve } = ledger()
        const ended: Array<RouteAttempt> = []
        const buggy = (spent: (usage: TokenUsage) => void) =>
          Effect.sync(() => {
            spent(usage)
            throw new Error("bug")
          })
        const exit = yield* Effect.exit(runPlan({ a: buggy }, { reserve, ended }))
        assert.isTrue(Exit.hasDies(exit))
        assert.deepStrictEqual(ended, [
          {
            candidate: a,
            chargedAt: 0,
            startedAt: 0,
            latencyMillis: 0,
            abortReason: "defect",
            usage,
            cost: nano(5_000n)
          }
        ])
        assert.deepStrictEqual(book, ["reserved a", "settled 5000 a"])
      })
    )

    it.effect("in full, when the failure reports only the last part", () =>
      Effect.gen(function* () {
        const { attempts } = yield* runPlan({
          a: (spent) =>
            Effect.suspend(() => {
              spent(usage)
              spent(usage)
              return Effect.fail(new UpstreamFailure({ kind: "bad_request", usage }))
            })
        })
        assert.deepInclude(attempts[0], heard)
      })
    )
  })

  it.effect("charges the usage that a failed attempt reports", () =>
    Effect.gen(function* () {
      const usage = { inputTokens: 3, outputTokens: 2 }
      const { attempts } = yield* runPlan({
        a: Effect.fail(new UpstreamFailure({ kind: "invalid_answer", usage })),
        b: failWith("timeout"),
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

  it.effect("propagates a defect of Signalbox without a fallback", () =>
    Effect.gen(function* () {
      const exit = yield* Effect.exit(runPlan({ a: Effect.die("bug") }))
      assert.deepStrictEqual(exit, Exit.die("bug"))
    })
  )

  it.effect("skips a candidate whose probe another request has claimed", () =>
    Effect.gen(function* () {
      const { attempts, served } = yield* runPlan({ b: serve("from b") }, { claimed: ["a"] })
      assert.deepStrictEqual(tags(attempts), ["b"])
      assert.strictEqual(served?.value, "from b")
      const failed = yield* runPlan(
        { b: failWith("timeout"), c: failWith("timeout") },
        { claimed: ["a"] }
      )
      assert.deepStrictEqual(tags(failed.attempts), ["b", "c"])
    })
  )

  it.effect("tries the best candidate when every probe is claimed and no other is left", () =>
    Effect.gen(function* () {
      const all = yield* runPlan({ a: serve("from a") }, { claimed: ["a", "b", "c"] })
      assert.deepStrictEqual(tags(all.attempts), ["a"])
      const others = yield* runPlan(
        { a: serve("from a") },
        {
          claimed: ["a"],
          reserve: ({ endpoint: { tag } }) =>
            tag === "a" ? Effect.succeed(undefined) : Effect.fail(unaffordable)
        }
      )
      assert.strictEqual(others.served?.value, "from a")
    })
  )

  it.effect("counts further credentials of an endpoint separately from endpoints", () =>
    Effect.gen(function* () {
      const keyed = ["k1", "k2", "k3", "k4"].map((key) => ({ ...a, id: key }))
      const { attempts } = yield* runPlan(
        { a: failWith("credential_refused"), b: failWith("timeout"), c: failWith("timeout") },
        { candidates: [...keyed, b, c], budget: { maxAttempts: 2, maxCredentialAttempts: 3 } }
      )
      assert.deepStrictEqual(tags(attempts), ["a", "a", "a", "a", "b"])
    })
  )

  it.effect.each(["credential_refused", "forbidden", "rate_limited"] as const)(
    "falls back after %s of a customer's own credential to the next one and to shared capacity",
    (kind) =>
      Effect.gen(function* () {
        const [one, two] = own(a, "one", "two")
        const { attempts, served } = yield* runPlan(
          { a: (_, { id }) => (id.includes("#") ? failWith(kind) : serve("on the host's")) },
          { candidates: [one!, two!, a], budget: { maxAttempts: 1 } }
        )
        assert.deepStrictEqual(ids(attempts), ["a/b@a#one", "a/b@a#two", "a/b@a"])
        assert.strictEqual(served?.value, "on the host's")
      })
  )

  it.effect("does not try a refused credential at other endpoints of the provider", () =>
    Effect.gen(function* () {
      const candidates = [...own(a, "1"), ...own(b, "1"), ...own(b, "2"), b]
      for (const [kind, tried] of [
        ["credential_refused", ["a/b@a#1", "a/b@b#2", "a/b@b"]],
        ["forbidden", ["a/b@a#1", "a/b@b#1", "a/b@b#2", "a/b@b"]]
      ] as const) {
        const { attempts } = yield* runPlan(
          { a: failWith(kind), b: (_, { id }) => (id.includes("#") ? failWith(kind) : serve("b")) },
          { candidates }
        )
        assert.deepStrictEqual(ids(attempts), [...tried])
      }
    })
  )

  it.effect("limits the attempts on refused credentials", () =>
    Effect.gen(function* () {
      const candidates = [...own(a, "1", "2"), ...own(b, "3", "4"), c]
      const { attempts, served } = yield* runPlan(
        { a: failWith("credential_refused"), b: failWith("credential_refused"), c: serve("c") },
        { candidates, budget: { maxAttempts: 1, maxRejectedCredentials: 3 } }
      )
      assert.deepStrictEqual(ids(attempts), ["a/b@a#1", "a/b@a#2", "a/b@b#3", "a/b@c"])
      assert.strictEqual(served?.value, "c")
    })
  )

  it.effect("counts other failures of a credential as attempts at its endpoint", () =>
    Effect.gen(function* () {
      const candidates = [...own(a, "1"), ...own(b, "2"), c]
      const { attempts } = yield* runPlan(
        { a: failWith("timeout"), b: failWith("timeout") },
        { candidates, budget: { maxAttempts: 2 } }
      )
      assert.deepStrictEqual(ids(attempts), ["a/b@a#1", "a/b@b#2"])
    })
  )

  it.effect("charges nothing on a customer credential, and reports what the provider charges", () =>
    Effect.gen(function* () {
      const usage = { inputTokens: 10, outputTokens: 0 }
      const { attempts } = yield* runPlan(
        {
          a: Effect.fail(new UpstreamFailure({ kind: "timeout", usage })),
          b: Effect.succeed({ value: "b", usage, cost: nano(7n) }),
          c: failWith("timeout")
        },
        { candidates: [...own(c, "0"), ...own(a, "1"), ...own(b, "2")] }
      )
      assert.deepStrictEqual(
        attempts.map(({ cost, upstreamCost }) => [cost, upstreamCost]),
        [
          [undefined, undefined],
          [zero, nano(10_000n)],
          [zero, nano(7n)]
        ]
      )
    })
  )
})

/** The outcomes of a, one for each attempt. */
const inTurn = (
  ...outcomes: ReadonlyArray<Effect.Effect<AttemptSuccess<string>, UpstreamFailure>>
) => {
  let at = 0
  return () => outcomes[at++] ?? Effect.die("too many attempts")
}

describe("a renewed credential", () => {
  const stale = Effect.fail(
    new UpstreamFailure({ kind: "credential_refused", status: 401, isCredentialRenewed: true })
  )
  it.effect("is a further attempt at the same endpoint, which is recorded", () =>
    Effect.gen(function* () {
      const { attempts, served } = yield* runPlan({ a: inTurn(stale, serve("a")) })
      assert.deepStrictEqual(tags(attempts), ["a", "a"])
      assert.strictEqual(served?.value, "a")
      assert.strictEqual(attempts[0]?.failure?.kind, "credential_refused")
    })
  )

  it.effect("is tried once in a request", () =>
    Effect.gen(function* () {
      const { attempts } = yield* runPlan({
        a: inTurn(stale, stale),
        b: inTurn(stale),
        c: serve("c")
      })
      assert.deepStrictEqual(tags(attempts), ["a", "a", "b", "c"])
    })
  )
})
