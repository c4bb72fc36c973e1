/** A warning about a spend limit or a provider: plain JSON without secrets, the same in webhooks, functions and lists. */
import * as Schema from "effect/Schema"
import { nullableText } from "../../../values/schemaFields.ts"

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

/**
 * What an alert is about. `threshold_crossed`: spending reached a percentage or an amount. `forecast_exceeded`: at the
 * present rate the period ends above the limit. `limit_refused`: the limit refused a request. The others are about
 * providers: `provider_down` and `provider_up`, and `error_rate_exceeded` and `error_rate_recovered`.
 */
const alertTypes = [
  "alert.threshold_crossed",
  "alert.forecast_exceeded",
  "alert.limit_refused",
  "alert.provider_down",
  "alert.provider_up",
  "alert.error_rate_exceeded",
  "alert.error_rate_recovered"
] as const
/** What an alert is about. */
export type AlertType = (typeof alertTypes)[number]

/** The limit that an alert is about, with what was spent under it. Amounts are in USD. */
export const AlertLimit = Schema.Struct({
  /** What sets the limit, such as `credits`, `workspace`, `key`, `guardrail` or `budget`. */
  kind: Schema.String,
  /** Name of what sets the limit; null for credits. */
  name: nullableText,
  guardrail_id: nullableText,
  /** The key or the user whose spending counts; both are null when the spending of others counts, too. */
  key_hash: nullableText,
  user_id: nullableText,
  /** The `user` of requests that a budget counts; null: it counts others, too. */
  external_user_id: nullableText,
  interval: Schema.String,
  /** ISO 8601; null for a limit that never resets. */
  resets_at: nullableText,
  /** Whether the limit only warns, and refuses nothing. */
  soft: Schema.Boolean,
  limit: Schema.Finite,
  /** Spent in the current interval, without what running requests reserve. */
  settled: Schema.Finite,
  /** At least 0. */
  remaining: Schema.Finite,
  /** The settled share of the limit, rounded down to a tenth. */
  percent: Schema.Finite,
  /** What the whole interval will cost at its average rate so far; null without an end, and before a tenth has passed. */
  forecast: Schema.NullOr(Schema.Finite),
  /** When the limit will be spent at that rate, in ISO 8601; null if not before it resets. */
  exhausted_at: nullableText
})
/** The limit that an alert is about, with what was spent under it. Amounts are in USD. */
export type AlertLimit = typeof AlertLimit.Type

/** The provider, endpoint or model that an alert is about. */
export const AlertHealth = Schema.Struct({
  kind: Schema.Literals(["provider", "endpoint", "model"]),
  name: Schema.String,
  /** Attempts of the last five minutes, in the process that noticed. */
  requests: Schema.Finite,
  /** How many of them failed. */
  errors: Schema.Finite,
  /** Why the circuit breaker opened; null for error rates. */
  cause: nullableText
})
/** The provider, endpoint or model that an alert is about. */
export type AlertHealth = typeof AlertHealth.Type

/** A warning about a spend limit or a provider. */
export const Alert = Schema.Struct({
  /** Unique, and the `webhook-id` of its event; receivers use it to drop duplicates. */
  id: Schema.String,
  type: Schema.Literals(alertTypes),
  account: Schema.String,
  /** The workspace whose webhook receives it. */
  workspace_id: Schema.String,
  /** ISO 8601. */
  created_at: Schema.String,
  /** Sentences for people: what happened, the amounts, when it resets, and what to do. */
  message: Schema.String,
  /** The alert rule of the account; null for a rule of the host. */
  rule_id: nullableText,
  /** The threshold that was crossed; null for alerts about providers. */
  threshold: Schema.NullOr(AlertThreshold),
  /** Null for alerts about providers. */
  limit: Schema.NullOr(AlertLimit),
  /** Null for alerts about limits. */
  health: Schema.NullOr(AlertHealth)
})
/** A warning about a spend limit or a provider. */
export type Alert = typeof Alert.Type

/** A function of the host that receives alerts. It may be called again with the same `id`; its errors are logged. */
export type AlertReceiver = (alert: Alert) => void | Promise<void>
