import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { assert, describe, it, vi } from "vitest"
import { Jumps } from "../../withJumps.ts"
import { accepted, advanceClock, find, runInHarness, submit } from "./videoHarness.ts"

const dayMillis = 86_400_000
const jump = (millis: number) => Jumps.use((jumps) => Effect.sync(() => jumps.jump(millis)))

const settings = { videoTimeoutMillis: 600_000, videoPollMillis: 10_000 }

/** Submits a video, until the provider has it: what submits is loaded with the first one, while the clock stands. */
const start = Effect.fnUntraced(function* ({
  submits
}: {
  readonly submits: ReadonlyArray<unknown>
}) {
  const before = submits.length
  const { id } = yield* submit()
  while (submits.length === before) {
    yield* Effect.promise(() => vi.dynamicImportSettled())
    yield* advanceClock(1)
  }
  return id
})

const completed = {
  status: "completed",
  outputs: [{ index: 0, url: "https://one.example/0" }]
} as const

describe.each([
  ["a day forward", dayMillis],
  ["a day back", -dayMillis],
  ["ten minutes back", -600_000]
])("a clock that jumps %s", (_, millis) => {
  it("delays no poll of a video, and asks no more often", () =>
    runInHarness(
      ({ one }) =>
        Effect.gen(function* () {
          const id = yield* start(one)
          yield* advanceClock(30)
          const before = one.polledAt.length
          assert.isAtLeast(before, 2)
          yield* jump(millis)
          yield* advanceClock(60)
          const polls = one.polledAt.length - before
          // Polls at once after a jump, and then as usual: every 8 to 12 seconds.
          assert.isTrue(polls >= 3 && polls <= 10, `${polls} polls in a minute`)
          one.report = completed
          yield* advanceClock(15)
          assert.strictEqual((yield* find(id)).status, "completed")
        }),
      { settings: { ...settings, maxVideoPollMillis: 10_000 } }
    ))

  it("expires no video before its time", () =>
    runInHarness(
      ({ one }) =>
        Effect.gen(function* () {
          const id = yield* start(one)
          yield* advanceClock(300)
          yield* jump(millis)
          yield* advanceClock(270)
          assert.strictEqual((yield* find(id)).status, "in_progress")
          assert.deepStrictEqual(one.stopped, [])
        }),
      { settings }
    ))

  it("leaves a video alone whose provider has not answered yet", () =>
    runInHarness(
      ({ one }) =>
        Effect.gen(function* () {
          const gate = yield* Deferred.make<void>()
          one.submitResults.push(Effect.as(Deferred.await(gate), accepted("late")))
          const id = yield* start(one)
          yield* advanceClock(5)
          yield* jump(millis)
          yield* advanceClock(5)
          yield* Deferred.succeed(gate, undefined)
          one.report = completed
          yield* advanceClock(30)
          assert.strictEqual((yield* find(id)).status, "completed")
          assert.lengthOf(one.submits, 1)
          assert.deepStrictEqual(one.stopped, [])
        }),
      { settings }
    ))
})

it("expires a video at its time although the clock has jumped forward", () =>
  runInHarness(
    ({ one }) =>
      Effect.gen(function* () {
        const id = yield* start(one)
        yield* advanceClock(10)
        yield* jump(dayMillis)
        yield* advanceClock(610)
        assert.strictEqual((yield* find(id)).status, "expired")
        assert.lengthOf(one.stopped, 1)
        const later = yield* start(one)
        yield* advanceClock(570)
        assert.strictEqual((yield* find(later)).status, "in_progress")
        yield* advanceClock(40)
        assert.strictEqual((yield* find(later)).status, "expired")
      }),
    { settings }
  ))
