/** What the router, not the model, says about an answer. */
import type { TokenUsage } from "../values/usage/TokenUsage.ts"

/** The end of a request: its usage, as far as it is known. */
export interface UsageFacts {
  /** Of all attempts; absent: nobody counted. */
  readonly usage?: TokenUsage
  /** Further fields of the usage, such as `cost` and `is_byok`. */
  readonly usageFields?: Readonly<Record<string, unknown>>
  /** Such as `default`. */
  readonly serviceTier?: string
}

/** A whole answer. */
export interface AnswerFacts extends UsageFacts {
  /** The id of the generation. */
  readonly id: string
  /** The id of the model that answered. */
  readonly model: string
  /** Seconds since the epoch. */
  readonly created: number
}
