/** A test suite for stores of spending: they count by the time zone and the first days that the settings choose. */
import {
  type CalendarSettings,
  getCalendar,
  type Limit,
  LedgerStore,
  NanoUsd,
  noSpend,
  Settings,
  SpendCounters,
  Subject
} from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { assert, describe, it } from "vitest"
import * as fresh from "./fixtures.ts"
import { makeRunTest } from "./makeRunTest.ts"

const toNanoUsd = NanoUsd.make
const inBerlin: CalendarSettings = {
  limitTimeZone: "Europe/Berlin",
  limitWeekStart: "sunday",
  limitResetDay: 15
}

const layerSettings = (changes: CalendarSettings) =>
  Layer.effect(
    Settings,
    Effect.map(Settings, (settings) => ({ ...settings, ...changes }))
  )

const record = (spender: Subject.Spender, amount: bigint, time: string) =>
  SpendCounters.use((counters) =>
    counters.record(spender, toNanoUsd(amount), false, Date.parse(time))
  )

/** The daily, weekly and monthly usage. */
const readPeriods = Effect.fnUntraced(function* (spender: Subject.Spender, time: string) {
  const counters = yield* SpendCounters
  const workspace = Subject.fromWorkspace(spender)
  const spends = yield* counters.findSpend([workspace], Date.parse(time))
  const { usage_daily, usage_monthly, usage_weekly } = spends.get(workspace) ?? noSpend
  return [usage_daily, usage_weekly, usage_monthly].map(BigInt)
})

/** Declares the tests in a vitest file: `LimitCalendarContract("postgres", layer)`. */
export const LimitCalendarContract = (
  implementation: string,
  layer: Layer.Layer<LedgerStore | SpendCounters, unknown>
): void => {
  const run = makeRunTest(Layer.provide(layer, layerSettings(inBerlin)))
  describe(`stores of spending by a calendar: ${implementation}`, () => {
    it("begin days at midnight of the zone, weeks and months on the days that are chosen", () =>
      run(
        Effect.gen(function* () {
          const spender = fresh.makeSpender()
          // A Saturday, the last moment of the week and of the month before the fifteenth.
          yield* record(spender, 1n, "2026-11-14T22:59:59.999Z")
          assert.deepStrictEqual(yield* readPeriods(spender, "2026-11-14T22:59:59.999Z"), [
            1n,
            1n,
            1n
          ])
          assert.deepStrictEqual(yield* readPeriods(spender, "2026-11-14T23:00:00Z"), [0n, 0n, 0n])
          yield* record(spender, 10n, "2026-11-14T23:00:00Z")
          assert.deepStrictEqual(yield* readPeriods(spender, "2026-11-15T22:59:59Z"), [
            10n,
            10n,
            10n
          ])
          assert.deepStrictEqual(yield* readPeriods(spender, "2026-11-15T23:00:00Z"), [
            0n,
            10n,
            10n
          ])
          assert.deepStrictEqual(yield* readPeriods(spender, "2026-11-21T23:00:00Z"), [0n, 0n, 10n])
          assert.deepStrictEqual(yield* readPeriods(spender, "2026-12-14T23:00:00Z"), [0n, 0n, 0n])
        })
      ))

    it("count earlier spending of the day of the zone under a new limit", () =>
      run(
        Effect.gen(function* () {
          const store = yield* LedgerStore
          const spender = fresh.makeSpender()
          const calendar = getCalendar(yield* Effect.provide(Settings, layerSettings(inBerlin)))
          const makeLimit = (time: string): Limit => {
            const { endsAt, name } = calendar.toWindow("daily", Date.parse(time))
            return {
              ...fresh.makeLimit(10n),
              kind: "workspace",
              id: JSON.stringify(spender),
              subject: Subject.fromWorkspace(spender),
              interval: "daily",
              window: name,
              endsAt
            }
          }
          const reserveAt = Effect.fnUntraced(function* (time: string) {
            yield* TestClock.setTime(Date.parse(time))
            return yield* store.reserve({
              account: spender.account,
              limits: [makeLimit(time)],
              amount: toNanoUsd(5n),
              leaseMillis: 60_000
            })
          })
          yield* record(spender, 6n, "2026-03-29T00:30:00Z")
          // The clocks have gone forward, and the day ends an hour earlier.
          const { available } = yield* Effect.flip(reserveAt("2026-03-29T21:59:59Z"))
          assert.strictEqual(available, toNanoUsd(4n))
          yield* reserveAt("2026-03-29T22:00:00Z")
        })
      ))
  })
}
