import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { assert, describe, it } from "vitest"
import { InternUpdater } from "../../../../src/domains/interns/tasks/InternUpdater.ts"
import { InternStore } from "../../../../src/domains/interns/InternStore.ts"
import { create, withInternFixture } from "../internFixture.ts"

const leaseMillis = 20_000
const hour = 3_600_000

/** Claims as a process whose system clock is ahead, or with a negative number behind. */
const makeClaimer = Effect.fnUntraced(function* (owner: string, aheadMillis: number) {
  const clock = yield* Clock.Clock
  const shifted: Clock.Clock = {
    currentTimeMillisUnsafe: () => clock.currentTimeMillisUnsafe() + aheadMillis,
    currentTimeMillis: Effect.map(clock.currentTimeMillis, (now) => now + aheadMillis),
    currentTimeNanosUnsafe: () => clock.currentTimeNanosUnsafe() + BigInt(aheadMillis) * 1_000_000n,
    currentTimeNanos: Effect.map(
      clock.currentTimeNanos,
      (now) => now + BigInt(aheadMillis) * 1_000_000n
    ),
    monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
    monotonicTimeNanos: clock.monotonicTimeNanos,
    sleep: (duration) => clock.sleep(duration)
  }
  const store = yield* InternStore
  const updater = Context.get(
    yield* Layer.build(
      Layer.fresh(InternUpdater.layer).pipe(Layer.provide(Layer.succeed(InternStore, store)))
    ),
    InternUpdater
  )
  const { intern } = yield* create()
  const claim = updater.claim(intern.id, { owner, leaseMillis, isEligible: () => true })
  return Effect.map(
    Effect.provideService(claim, Clock.Clock, shifted),
    (claimed) => claimed !== undefined
  )
})

describe("a claim on an intern", () => {
  it("keeps off a process whose clock is an hour ahead", () =>
    withInternFixture(() =>
      Effect.gen(function* () {
        const [first, second] = [yield* makeClaimer("a", 0), yield* makeClaimer("b", hour)]
        assert.isTrue(yield* first)
        assert.isFalse(yield* second)
        yield* TestClock.adjust(leaseMillis - 1)
        assert.isFalse(yield* second)
      })
    ))

  it("ends with its lease for others, although its process died with a clock an hour ahead", () =>
    withInternFixture(() =>
      Effect.gen(function* () {
        const [first, second] = [yield* makeClaimer("a", hour), yield* makeClaimer("b", 0)]
        assert.isTrue(yield* first)
        assert.isFalse(yield* second)
        yield* TestClock.adjust(leaseMillis)
        assert.isTrue(yield* second)
      })
    ))

  it("lasts longer each time that its owner claims again", () =>
    withInternFixture(() =>
      Effect.gen(function* () {
        const [first, second] = [yield* makeClaimer("a", 0), yield* makeClaimer("b", 0)]
        yield* first
        yield* second
        yield* TestClock.adjust(leaseMillis - 1)
        assert.isTrue(yield* first)
        assert.isFalse(yield* second)
        yield* TestClock.adjust(leaseMillis - 1)
        assert.isFalse(yield* second)
        yield* TestClock.adjust(1)
        assert.isTrue(yield* second)
      })
    ))
})
