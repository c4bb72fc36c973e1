/** What, besides the model and the counts, a provider's price of an answer depends on. */
import type { ModelUsage } from "./ModelUsage.ts"

/** How an answer was served; absent: not known, or as usual. */
export interface ServedConditions {
  /** Such as `default`, `flex` or `priority`. */
  readonly service_tier?: string
  /** Such as `fast`, as Anthropic calls it. */
  readonly speed?: string
  /** Where the model ran, such as `us`, as Anthropic calls it. */
  readonly inference_geo?: string
}

/** Who served an answer, and how. */
export interface ServedAs {
  /** The model's name at the provider; absent: the requested one. */
  readonly model?: string
  readonly conditions?: ServedConditions
  /** What of the usage other models used; absent: nothing. */
  readonly usageByModel?: ReadonlyArray<ModelUsage>
}

export const conditionNames = ["service_tier", "speed", "inference_geo"] as const
export type ConditionName = (typeof conditionNames)[number]

/** The words by which providers report usual conditions, at the usual price. */
const usual: ReadonlySet<string> = new Set([
  "auto",
  "default",
  "global",
  "not_available",
  "on_demand",
  "standard",
  "standard_only"
])

/** Undefined for usual conditions. */
export const findUnusual = (
  conditions: ServedConditions | undefined,
  name: ConditionName
): string | undefined => {
  const value = conditions?.[name]
  return value === undefined || usual.has(value) ? undefined : value
}
