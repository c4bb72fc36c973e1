/** Handlers of the analytics operations. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Handlers } from "../operation/Handler.ts"
import { Settings } from "../../instance/Settings.ts"
import { SteadyTime } from "../../values/SteadyTime.ts"
import {
  analyticsDimensions,
  analyticsMetrics,
  analyticsOperators,
  granularities
} from "../../engine/observability/analytics/AnalyticsQuery.ts"
import { planAnalytics } from "../../engine/observability/analytics/planAnalytics.ts"
import { toAnalyticsRows } from "../../engine/observability/analytics/toAnalyticsRows.ts"
import { getRollupRetention } from "../../engine/observability/rollups/Resolution.ts"
import { RollupStore } from "../../engine/observability/rollups/RollupStore.ts"
import type { AnalyticsApi } from "./AnalyticsApi.ts"

export const analyticsHandlers = Effect.gen(function* () {
  const rollups = yield* RollupStore
  const retention = getRollupRetention(yield* Settings)
  return {
    getMeta: () => Effect.succeed(meta),
    query: Effect.fnUntraced(function* ({ payload }, { caller }) {
      const time = new SteadyTime(yield* Clock.Clock)
      const now = time.now()
      const plan = yield* Effect.fromResult(planAnalytics(payload, now, retention))
      const { dimension, range } = plan
      const { from, resolution, to } = range
      const buckets = yield* rollups.list({
        account: caller.account,
        resolution,
        dimension,
        from,
        to
      })
      const { isTruncated, rows, warnings } = toAnalyticsRows(buckets, plan)
      const allWarnings = [...range.warnings, ...warnings]
      return {
        data: {
          data: rows,
          metadata: {
            query_time_ms: time.now() - now,
            row_count: rows.length,
            truncated: isTruncated
          },
          ...(allWarnings.length === 0 ? undefined : { warnings: allWarnings })
        }
      }
    })
  } satisfies Handlers<typeof AnalyticsApi>
})

const meta = {
  data: {
    metrics: analyticsMetrics.map(({ format, isRate, label, name }) => ({
      name,
      display_label: label,
      display_format: format,
      is_rate: isRate
    })),
    dimensions: analyticsDimensions.map(({ label, name }) => ({ name, display_label: label })),
    operators: analyticsOperators.map(({ name, valueType }) => ({ name, value_type: valueType })),
    granularities: granularities.map((name) => ({
      name,
      display_label: name.charAt(0).toUpperCase() + name.slice(1)
    }))
  }
}
