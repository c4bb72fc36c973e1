/** Which models a list contains, and in which order. */
import type { Category } from "../../engine/catalog/model/Category.ts"

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

/** Inclusive; a model without the value is outside of every range. */
export interface Range {
  readonly min?: number
  readonly max?: number
}

/** All filters must match. Names and slugs ignore case. */
export interface ModelQuery {
  readonly category?: Category
  /** The model supports all of them. */
  readonly supportedParameters?: ReadonlyArray<string>
  /** The model has one of them; absent: any output. */
  readonly outputModalities?: ReadonlyArray<OutputModality>
  /** The model takes all of them. */
  readonly inputModalities?: ReadonlyArray<InputModality>
  /** Each word occurs in its name or slug. */
  readonly text?: string
  /** Tokens. */
  readonly context?: number
  /** USD per million prompt tokens. */
  readonly price?: Range
  /** USD per million completion tokens. */
  readonly outputPrice?: Range
  /** Its tokenizer or its family. */
  readonly architecture?: string
  /** One of these is its author. */
  readonly authors?: ReadonlyArray<string>
  /** One of these serves it: display names, slugs, or slugs with a variant. */
  readonly providers?: ReadonlyArray<string>
  readonly distillable?: boolean
  /** One of its endpoints promises zero data retention. */
  readonly zdr?: true
  /** One of its endpoints runs there. */
  readonly region?: Region
  /** Days since its release. */
  readonly ageDays?: Range
  readonly intelligence?: Range
  readonly coding?: Range
  readonly agentic?: Range
  /** 0 to 1. */
  readonly toolSuccessRate?: Range
  /** Absent: newest first. */
  readonly sort?: ModelSort
}
