import * as Effect from "effect/Effect"
import { assert, describe, it } from "vitest"
import { Ledger } from "../../src/ledger/Ledger.ts"
import { defaultAccountId } from "../../src/values/AccountId.ts"
import * as NanoUsd from "../../src/values/NanoUsd.ts"
import { accepted, cancel, elapse, failing, find, inWorld, submit } from "./videoWorld.ts"

const minute = 60
const hour = 60 * minute

const credits = Effect.map(
  Ledger.use((ledger) => ledger.credits(defaultAccountId)),
  (credits) => ({
    settled: NanoUsd.toUsdNumber(credits?.settled ?? NanoUsd.zero),
    reserved: NanoUsd.toUsdNumber(credits?.reserved ?? NanoUsd.zero)
  })
)
const rich = { options: { credits: { default: "10" } } }

describe("a video job", () => {
  it("is given up when its time is over, at the provider too, and costs nothing", () =>
    inWorld(
      ({ one }) =>
        Effect.gen(function* () {
          const { id } = yield* submit()
          yield* elapse(2 * hour - 2)
          assert.strictEqual((yield* find(id)).status, "in_progress")
          assert.deepStrictEqual(yield* credits, { settled: 0, reserved: 0.4 })
          yield* elapse(4)
          const { end, status } = yield* find(id)
          assert.deepStrictEqual(
            [status, end?.error],
            ["expired", "Job exceeded maximum time to live"]
          )
          assert.deepStrictEqual(one.stopped, ["job-1"])
          assert.deepStrictEqual(yield* credits, { settled: 0, reserved: 0 })
        }),
      { ...rich, settings: { videoDeadlineMillis: 2 * hour * 1_000 } }
    ))

  it("is completed by the poll at its deadline, if the provider has it by then", () =>
    inWorld(
      ({ one }) =>
        Effect.gen(function* () {
          const { id } = yield* submit()
          yield* elapse(minute)
          one.report = { status: "completed", outputs: [{ index: 0 }] }
          yield* elapse(10 * minute)
          assert.strictEqual((yield* find(id)).status, "completed")
          assert.deepStrictEqual(yield* credits, { settled: 0.4, reserved: 0 })
        }),
      { ...rich, settings: { videoDeadlineMillis: (minute + 1) * 1_000 } }
    ))

  it("keeps its money set aside for as long as it lives, however short the lease", () =>
    inWorld(
      ({ one }) =>
        Effect.gen(function* () {
          const { id } = yield* submit()
          yield* elapse(hour)
          assert.deepStrictEqual(yield* credits, { settled: 0, reserved: 0.4 })
          one.report = { status: "failed", kind: "server_error" }
          yield* elapse(5 * minute)
          assert.strictEqual((yield* find(id)).status, "failed")
          assert.deepStrictEqual(yield* credits, { settled: 0, reserved: 0 })
        }),
      { ...rich, settings: { videoLeaseMillis: 12 * minute * 1_000 } }
    ))

  it("is polled as its provider asks, and less often the longer it takes", () =>
    inWorld(
      ({ one }) =>
        Effect.gen(function* () {
          yield* submit()
          yield* elapse(2 * minute)
          assert.isAtLeast(one.polledAt.length, 4)
          assert.isAtMost(one.polledAt.length, 8)
          const before = one.polledAt.length
          yield* elapse(hour)
          // Every minute at most from the twentieth minute on, every three at the end.
          assert.isAtMost(one.polledAt.length - before, 70)
          const [last = 0, other = 0] = one.polledAt.toReversed()
          assert.isAtLeast(last - other, 120_000)
        }),
      { capability: { pollEveryMillis: 20_000 } }
    ))

  it("that was cancelled while it was submitted is stopped at the provider that took it", () =>
    inWorld(({ one }) =>
      Effect.gen(function* () {
        one.fates.push(Effect.delay(Effect.succeed(accepted("late")), "20 seconds"))
        const { id } = yield* submit()
        yield* elapse(5)
        assert.strictEqual(one.submits.length, 1)
        assert.strictEqual((yield* cancel(id)).status, "cancelled")
        assert.lengthOf(one.stopped, 0)
        yield* elapse(minute)
        assert.strictEqual((yield* find(id)).status, "cancelled")
        assert.deepStrictEqual(one.stopped, ["late"])
      })
    ))

  it("is asked for again where its fate is unknown, with the same key, until that is known", () =>
    inWorld(({ one, two }) =>
      Effect.gen(function* () {
        one.fates.push(
          failing({ kind: "unreachable", phase: "headers" }),
          failing({ kind: "rate_limited", status: 429 }),
          failing({ kind: "server_error", status: 502 })
        )
        const { id } = yield* submit()
        yield* elapse(minute)
        assert.strictEqual((yield* find(id)).place?.upstreamId, "job-4")
        assert.deepStrictEqual(
          one.submits.map(({ idempotencyKey }) => idempotencyKey),
          [id, id, id, id].map(String)
        )
        assert.lengthOf(two.submits, 0)
      })
    ))

  it("of which nobody can tell for long whether it was taken fails, and is not paid for", () =>
    inWorld(
      ({ one, two }) =>
        Effect.gen(function* () {
          const unknown = failing({ kind: "timeout", phase: "headers" })
          one.fates.push(...Array.from({ length: 99 }, () => unknown))
          const { id } = yield* submit()
          yield* elapse(hour)
          const { end, status } = yield* find(id)
          assert.deepStrictEqual(
            [status, end?.error],
            ["failed", "It is not known whether the provider has accepted the job"]
          )
          assert.lengthOf(one.submits, 10)
          assert.lengthOf(two.submits, 0)
          assert.deepStrictEqual(yield* credits, { settled: 0, reserved: 0 })
        }),
      rich
    ))

  it("that the provider refuses for its content goes to nobody else", () =>
    inWorld(({ one, two }) =>
      Effect.gen(function* () {
        one.fates.push(failing({ kind: "content_refused", status: 400, detail: "no" }))
        const { id } = yield* submit()
        yield* elapse(2)
        const { attempts, end, status } = yield* find(id)
        assert.deepStrictEqual(
          [status, end?.error],
          ["failed", "Provider returned error: ONE: content_refused (400): no"]
        )
        assert.deepStrictEqual(
          attempts.map(({ outcome }) => outcome),
          ["content_refused"]
        )
        assert.lengthOf(two.submits, 0)
      })
    ))

  it("loses its prompt and its pictures when it is over", () =>
    inWorld(({ one }) =>
      Effect.gen(function* () {
        one.report = { status: "completed", outputs: [{ index: 0 }] }
        const { id } = yield* submit({ user: "u-1" })
        yield* elapse(minute)
        const { request, status } = yield* find(id)
        assert.strictEqual(status, "completed")
        assert.deepStrictEqual(request, {
          model: "a/film",
          duration: 4,
          provider: { order: ["one", "two"] },
          user: "u-1"
        })
      })
    ))

  it("that ends twice at once ends once", () =>
    inWorld(
      () =>
        Effect.gen(function* () {
          const { id } = yield* submit()
          yield* elapse(2)
          const ended = yield* Effect.forEach(Array.from({ length: 10 }), () => cancel(id), {
            concurrency: "unbounded"
          })
          assert.strictEqual(new Set(ended.map(({ end }) => end?.at)).size, 1)
          assert.deepStrictEqual(yield* credits, { settled: 0, reserved: 0 })
        }),
      rich
    ))
})
