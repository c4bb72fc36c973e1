/** What an account spends in the month of the calendar that its budgets follow, beside the month before, and where it will end. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { Settings } from "../../instance/Settings.ts"
import type { AccountId } from "../../values/ids/Ids.ts"
import * as NanoUsd from "../../values/usage/NanoUsd.ts"
import { getCalendar } from "./Calendar.ts"
import { forecastMonth } from "../observability/rollups/forecastMonth.ts"
import { getRollupRetention, toBucketStart } from "../observability/rollups/Resolution.ts"
import * as Rollup from "../observability/rollups/Rollup.ts"
import { RollupStore } from "../observability/rollups/RollupStore.ts"

/** Made once for an instance. Times are in milliseconds since the epoch, amounts in USD. */
export const makeMonthSpending = Effect.gen(function* () {
  const settings = yield* Settings
  const calendar = getCalendar(settings)
  const retention = getRollupRetention(settings)
  const rollups = yield* RollupStore
  return Effect.fnUntraced(function* (account: AccountId) {
    const now = yield* Clock.currentTimeMillis
    const { beganAt, endsAt } = calendar.toWindow("monthly", now)
    const formerBeganAt = calendar.toWindow("monthly", beganAt - 1).beganAt
    // Months of other time zones begin within a day of UTC.
    const resolution = retention.hour > now - formerBeganAt ? "hour" : "day"
    const buckets = yield* rollups.list({
      account,
      dimension: "total",
      resolution,
      from: toBucketStart(resolution, formerBeganAt),
      to: now
    })
    const costs = buckets.map((bucket) => ({
      at: bucket.startedAt,
      cost: Rollup.total(bucket).cost
    }))
    const sumBetween = (from: number, to: number): number =>
      NanoUsd.toUsdNumber(
        costs
          .filter(({ at }) => at >= from && at < to)
          .reduce((sum, { cost }) => NanoUsd.sum(sum, cost), NanoUsd.zero)
      )
    return {
      beganAt,
      endsAt,
      spent: sumBetween(beganAt, endsAt),
      former: sumBetween(formerBeganAt, beganAt),
      formerSoFar: sumBetween(formerBeganAt, Math.min(beganAt, formerBeganAt + now - beganAt)),
      forecast: forecastMonth(
        costs.map(({ at, cost }) => ({ at, cost: NanoUsd.toUsdNumber(cost) })),
        { beganAt, endsAt, firstAt: costs[0]?.at ?? now, now }
      )
    }
  })
})
