/**
 * A whole answer, independent of the provider's dialect. Streamed answers are `AnswerEvent`s in the order of the parts.
 */
import type { Part } from "./Part.ts"

/** Why an answer ended, in the words of the chat dialect, or in another one of its provider. */
export type EndReason =
  | "content_filter"
  | "error"
  | "length"
  | "stop"
  | "tool_calls"
  | (string & {})

/** How an answer ended. */
export interface AnswerEnd {
  /** Null: its provider does not say. */
  readonly reason: EndReason | null
  /** The provider's own reason, such as `end_turn` or `SAFETY`. */
  readonly nativeReason?: string
  /** The text that ended the answer, where the provider says it. */
  readonly stopSequence?: string
  /** Why it declined, where the provider says it. */
  readonly explanation?: string
}

/** One whole answer; a request for several gets several. */
export interface Answer {
  /** In the order of the provider. */
  readonly parts: ReadonlyArray<Part>
  readonly end: AnswerEnd
  readonly logprobs?: unknown
}
