/** The usage of a model other than the requested one for an answer, such as a model that the provider's tools ask. */
import * as Schema from "effect/Schema"
import { optionalNumber, optionalText } from "../schemaFields.ts"
import type { TokenUsage } from "./TokenUsage.ts"

/** Part of the usage of an answer, by the model that used it. */
export interface ModelUsage {
  /** The model's name at the provider. */
  readonly model: string
  readonly usage: TokenUsage
}

/** What a provider was seen to do by itself for an answer. */
export interface ServerCalls {
  /** Calls of tools that it ran. Each may have made the model read the conversation again. */
  readonly calls: number
  /** The calls among them that searched the web. */
  readonly webSearches: number
}

/** What a video job used, or may use at most. */
export const VideoUsage = Schema.Struct({
  /** The number of videos. */
  videos: Schema.Finite,
  /** Their total length in seconds, above 0; absent: unknown. */
  seconds: optionalNumber,
  /** Absent: unknown. */
  tokens: optionalNumber,
  /** Input images: frames and references. */
  images: optionalNumber,
  /** Such as `720p` or `1280x720`; absent: the requested one. */
  resolution: optionalText
})
export type VideoUsage = typeof VideoUsage.Type

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
