/** The option `alerts` of an instance with its defaults. */
import * as Context from "effect/Context"
import type { AlertReceiver, AlertThreshold } from "../../engine/observability/alerts/Alert.ts"

/** When the error rate of a provider, an endpoint or a model raises an alert. */
export interface ErrorRateOption {
  /** The share of failed attempts in the last five minutes, between 0 and 1. Default: 0.2. */
  readonly above?: number
  /** The fewest attempts in five minutes that have a rate. Default: 20. */
  readonly minRequests?: number
  /** How long the rate must stay above, in minutes. Default: 5. */
  readonly minutes?: number
  /** What has a rate. Default: `provider`. */
  readonly by?: "provider" | "endpoint" | "model"
}

/** The option with its defaults. */
export interface AlertConfig {
  readonly thresholds: ReadonlyArray<AlertThreshold>
  readonly onAlert: AlertReceiver | undefined
  readonly providerDown: boolean
  readonly errorRate: Required<ErrorRateOption> | undefined
}

/** Undefined: the host has no `alerts`, and nothing is watched. */
export const CurrentAlertConfig: Context.Reference<AlertConfig | undefined> = Context.Reference<
  AlertConfig | undefined
>("@signalbox/core/domains/alerts/CurrentAlertConfig", { defaultValue: () => undefined })
