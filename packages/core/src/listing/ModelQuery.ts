/** Which models a list contains, and in which order. */
import type { Category } from "../catalog/model/Category.ts"

export const modelSorts = [
  "most-popular",
  "newest",
  "top-weekly",
  "pricing-low-to-high",
  "pricing-high-to-low",
  "context-high-to-low",
  "throughput-high-to-low",
  "latency-low-to-high",
  "intelligence-high-to-low",
  "coding-high-to-low",
  "agentic-high-to-low",
  "design-arena-elo-high-to-low"
] as const
/** An order of `GET /models`. */
export type ModelSort = (typeof modelSorts)[number]

export const outputModalities = [
  "text",
  "image",
  "embeddings",
  "audio",
  "video",
  "rerank",
  "decisions",
  "speech",
  "transcription"
] as const
type OutputModality = (typeof outputModalities)[number]

export const inputModalities = ["text", "image", "audio", "file", "video"] as const
type InputModality = (typeof inputModalities)[number]

export const regions = ["eu", "us"] as const
type Region = (typeof regions)[number]

/** Both ends are allowed; a model without the number is outside of every range. */
export interface Range {
  readonly min?: number
  readonly max?: number
}

/** Every filter that is there must hold. Names and slugs match in any case. */
export interface ModelQuery {
  readonly category?: Category
  /** The model takes all of them. */
  readonly supportedParameters?: ReadonlyArray<string>
  /** The model gives one of them; absent: whatever it gives. */
  readonly outputModalities?: ReadonlyArray<OutputModality>
  /** The model takes all of them. */
  readonly inputModalities?: ReadonlyArray<InputModality>
  /** Each word stands in its name or its slug. */
  readonly text?: string
  /** Tokens. */
  readonly context?: number
  /** USD per million prompt tokens. */
  readonly price?: Range
  /** USD per million completion tokens. */
  readonly outputPrice?: Range
  /** Its tokenizer or its family. */
  readonly architecture?: string
  /** One of these wrote it. */
  readonly authors?: ReadonlyArray<string>
  /** One of these serves it: display names, slugs, or slugs with a variant. */
  readonly providers?: ReadonlyArray<string>
  readonly distillable?: boolean
  /** One of its endpoints promises zero data retention. */
  readonly zdr?: true
  /** One of its endpoints runs there. */
  readonly region?: Region
  /** Days since it appeared. */
  readonly ageDays?: Range
  readonly intelligence?: Range
  readonly coding?: Range
  readonly agentic?: Range
  /** 0 to 1. */
  readonly toolSuccessRate?: Range
  /** Absent: newest first. */
  readonly sort?: ModelSort
}
