/** The option `alerts`: what a host wants to be warned of. */
import * as Schema from "effect/Schema"
import {
  type AlertReceiver,
  type AlertThreshold,
  AlertThresholds
} from "../../engine/observability/alerts/Alert.ts"
import type { AlertConfig, ErrorRateOption } from "./CurrentAlertConfig.ts"

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
