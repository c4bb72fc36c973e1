/** When a spend limit warns. */
import * as Schema from "effect/Schema"

const Usd = Schema.Finite.check(Schema.isGreaterThan(0), Schema.isLessThanOrEqualTo(1_000_000_000))

/** The share of the limit that is spent, in percent. Above 100 for limits that only warn, and for settled overruns. */
const PercentThreshold = Schema.Struct({
  percent: Schema.Finite.check(Schema.isGreaterThan(0), Schema.isLessThanOrEqualTo(1_000))
})
/** The amount that is spent, in USD. */
const SpentThreshold = Schema.Struct({ spent: Usd })
/** The amount that is left, in USD; for credits, which are granted again before they end. */
const RemainingThreshold = Schema.Struct({ remaining: Usd })
/** The forecast for the end of the period is above the limit. */
const ForecastThreshold = Schema.Struct({ forecast: Schema.Literal(true) })
/** The limit refused a request, because its cost might have exceeded the rest. */
const RefusedThreshold = Schema.Struct({ refused: Schema.Literal(true) })

/**
 * One threshold of a spend limit: `{ percent: 80 }`, `{ spent: 40 }` and `{ remaining: 10 }` in USD, `{ forecast: true }`,
 * or `{ refused: true }`.
 *
 * Others distinguish the same: AWS Budgets by percentage and absolute value, actual and forecasted
 * (https://docs.aws.amazon.com/aws-cost-management/latest/APIReference/API_budgets_Notification.html), OpenAI by an amount
 * (https://developers.openai.com/api/reference/resources/admin/subresources/organization/subresources/spend_alerts).
 */
export const AlertThreshold = Schema.Union([
  PercentThreshold,
  SpentThreshold,
  RemainingThreshold,
  ForecastThreshold,
  RefusedThreshold
])
export type AlertThreshold = typeof AlertThreshold.Type

/** As many as a limit has thresholds. */
export const AlertThresholds = Schema.Array(AlertThreshold).check(Schema.isMaxLength(20))
