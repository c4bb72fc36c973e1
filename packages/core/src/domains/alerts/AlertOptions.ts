/** The option `alerts`: what a host wants to be warned of. */
import * as Context from "effect/Context"
import * as Schema from "effect/Schema"
import {
  type AlertReceiver,
  type AlertThreshold,
  AlertThresholds
} from "../../engine/observability/alerts/Alert.ts"

const Share = Schema.Finite.check(Schema.isGreaterThan(0), Schema.isLessThan(1))
const Count = Schema.Int.check(Schema.isGreaterThan(0))

const ErrorRateRule = Schema.Struct({
  above: Schema.optionalKey(Share),
  minRequests: Schema.optionalKey(Count),
  minutes: Schema.optionalKey(
    Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1_440 }))
  ),
  by: Schema.optionalKey(Schema.Literals(["provider", "endpoint", "model"]))
})

/** The schema of `AlertOptions`, without its function. */
export const AlertOptionFields = Schema.Struct({
  thresholds: Schema.optionalKey(AlertThresholds),
  providerDown: Schema.optionalKey(Schema.Boolean),
  errorRate: Schema.optionalKey(Schema.Union([Schema.Literal(false), ErrorRateRule]))
})

/** When the error rate of a provider, an endpoint or a model raises an alert. */
interface ErrorRateOption {
  /** The share of failed attempts in the last five minutes, between 0 and 1. Default: 0.2. */
  readonly above?: number
  /** The fewest attempts in five minutes that have a rate. Default: 20. */
  readonly minRequests?: number
  /** How long the rate must stay above, in minutes. Default: 5. */
  readonly minutes?: number
  /** What has a rate. Default: `provider`. */
  readonly by?: "provider" | "endpoint" | "model"
}

/**
 * What the host wants to be warned of. Each alert goes to the webhook of its workspace, to `onAlert`, and to the
 * destinations of `broadcast` that have an `onAlert`.
 */
export interface AlertOptions {
  /**
   * Thresholds of every spend limit and of all credits, beside the alert rules of accounts. Default: 50, 80 and 100
   * percent; an empty list leaves it to the rules.
   */
  readonly thresholds?: ReadonlyArray<AlertThreshold>
  /** Receives every alert. It is called again after an error or a crash; drop duplicates by the `id` of the alert. */
  readonly onAlert?: AlertReceiver
  /** Whether a provider that goes down raises an alert, and another one when it is up again. Default: true. */
  readonly providerDown?: boolean
  /** When failed attempts raise an alert. Default: false, never. */
  readonly errorRate?: ErrorRateOption | false
}

/** The option with its defaults. */
export interface AlertConfig {
  readonly thresholds: ReadonlyArray<AlertThreshold>
  readonly onAlert: AlertReceiver | undefined
  readonly providerDown: boolean
  readonly errorRate: Required<ErrorRateOption> | undefined
}

export const toAlertConfig = ({
  errorRate = false,
  onAlert,
  providerDown = true,
  thresholds = [{ percent: 50 }, { percent: 80 }, { percent: 100 }]
}: AlertOptions): AlertConfig => ({
  thresholds,
  onAlert,
  providerDown,
  errorRate:
    errorRate === false
      ? undefined
      : { above: 0.2, minRequests: 20, minutes: 5, by: "provider", ...errorRate }
})

/** Undefined: the host has no `alerts`, and nothing is watched. */
export const CurrentAlertConfig: Context.Reference<AlertConfig | undefined> = Context.Reference<
  AlertConfig | undefined
>("@signalbox/core/domains/alerts/CurrentAlertConfig", { defaultValue: () => undefined })
