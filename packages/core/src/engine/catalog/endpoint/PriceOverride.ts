/** Other prices under conditions: for long prompts, and at times of the week. */
import { isObject } from "../../../values/json/guards.ts"
import {
  type ServedConditions,
  conditionNames,
  findUnusual
} from "../../../values/usage/ModelUsage.ts"

/** The parts of a price that may depend on conditions. */
export const overridableParts = [
  "prompt",
  "completion",
  "audio",
  "input_audio_cache",
  "input_cache_read",
  "input_cache_write",
  "input_cache_write_1h"
] as const

/**
 * Prices that replace those of an endpoint where all conditions hold. If several overrides hold, the last one that
 * states a part sets its price.
 */
export interface PriceOverride extends Readonly<
  Partial<Record<(typeof overridableParts)[number], string>>
> {
  /** Holds above this number of prompt tokens. */
  readonly min_prompt_tokens?: number
  /** Holds on these days in UTC, such as `monday`; absent: every day. */
  readonly utc_days?: ReadonlyArray<string>
  /** Holds from this time in UTC: 930 is half past nine. Absent: from midnight. */
  readonly utc_start?: number
  /** Holds before this time in UTC; a time before `utc_start` is after midnight. Absent: until midnight. */
  readonly utc_end?: number
  /**
   * Applies to answers that the provider served in this tier, such as `priority`, which may differ from the requested
   * tier. Absent: applies to all tiers.
   */
  readonly service_tier?: string
  /** Holds for answers at this speed, such as `fast`. Absent: for all. */
  readonly speed?: string
  /** Holds for answers of models that run there, such as `us`. Absent: for all. */
  readonly inference_geo?: string
}

/** The facts that the conditions of an override test. */
export interface PricedMoment {
  readonly promptTokens: number
  /** In milliseconds since the epoch. */
  readonly at: number
  /** How the answer was served; absent: as usual. */
  readonly conditions?: ServedConditions | undefined
}

export const isApplicable = (
  override: PriceOverride,
  { at, conditions, promptTokens }: PricedMoment
): boolean => {
  for (const name of conditionNames) {
    const wanted = override[name]
    if (wanted !== undefined && findUnusual(conditions, name) !== findUnusual(override, name)) {
      return false
    }
  }
  const { min_prompt_tokens = -1, utc_days, utc_end = endOfDay, utc_start = 0 } = override
  if (!(promptTokens > min_prompt_tokens)) return false
  const date = new Date(at)
  if (utc_days !== undefined && !utc_days.includes(days[date.getUTCDay()]!)) return false
  const time = date.getUTCHours() * 100 + date.getUTCMinutes()
  return utc_start <= utc_end
    ? utc_start <= time && time < utc_end
    : utc_start <= time || time < utc_end
}

const days = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]
const endOfDay = 2400

/** Finds the problem with the conditions of an override, but not with its prices; undefined: there is none. */
export const findOverrideProblem = (override: unknown): string | undefined => {
  if (!isObject(override)) return "must be an object"
  const unknown = Object.keys(override).find((name) => !names.has(name))
  if (unknown !== undefined) return `has an unknown field: ${unknown}`
  const { min_prompt_tokens, utc_days, utc_end, utc_start } = override
  if (min_prompt_tokens !== undefined && !Number.isFinite(min_prompt_tokens)) {
    return "has no number as min_prompt_tokens"
  }
  if (utc_days !== undefined && !isDayList(utc_days)) {
    return `has no list of ${days.join(", ")} as utc_days`
  }
  const condition = conditionNames.find(
    (name) => override[name] !== undefined && typeof override[name] !== "string"
  )
  if (condition !== undefined) return `has no text as ${condition}`
  return [utc_start, utc_end].every((time) => time === undefined || isTime(time))
    ? undefined
    : "has no time from 0 to 2400, such as 930, as utc_start or utc_end"
}

const names: ReadonlySet<string> = new Set([
  ...overridableParts,
  "min_prompt_tokens",
  "utc_days",
  "utc_start",
  "utc_end",
  ...conditionNames
])

const isDayList = (list: unknown): boolean =>
  Array.isArray(list) && list.every((day) => days.includes(day))

const isTime = (time: unknown): boolean =>
  typeof time === "number" &&
  Number.isInteger(time) &&
  time >= 0 &&
  time <= endOfDay &&
  time % 100 < 60
