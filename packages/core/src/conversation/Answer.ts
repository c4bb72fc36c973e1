/** An answer in no provider's words. */
import type { TokenUsage } from "../values/usage/TokenUsage.ts"
import type { Part } from "./Part.ts"

/** Why an answer ended, in the words of the chat dialect. */
export type EndReason = "content_filter" | "error" | "length" | "stop" | "tool_calls"

/** How an answer ended. */
export interface AnswerEnd {
  readonly reason: EndReason
  /** The provider's own word, such as `end_turn` or `SAFETY`. */
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

/** What the provider says about the call; absent: not reported. */
export interface AnswerMetadata {
  readonly id?: string
  readonly model?: string
  readonly usage?: TokenUsage
  readonly serviceTier?: string
  readonly systemFingerprint?: string
}

/**
 * One step of a streamed answer. Parts follow each other: the end of one part is the beginning of the next, or the end.
 * Calls may be interleaved, so each of their pieces has the index of its call.
 */
export type AnswerEvent =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "refusal"; readonly refusal: string }
  /** A piece of a thought; pieces with the same `index` are one part. */
  | {
      readonly type: "reasoning"
      readonly index: number
      readonly format: string
      readonly text?: string
      readonly isSummary?: true
      readonly signature?: string
      readonly encrypted?: string
      readonly id?: string
    }
  /** A new call; `index` counts the calls of the answer from 0. */
  | {
      readonly type: "call"
      readonly index: number
      readonly id: string
      readonly name: string
      readonly isCustom?: true
      readonly namespace?: string
      readonly signature?: { readonly format: string; readonly value: string }
    }
  /** A piece of the arguments of a call. */
  | { readonly type: "arguments"; readonly index: number; readonly text: string }
  /** A whole part of the answer that only its dialect knows. */
  | { readonly type: "opaque"; readonly part: Part }
  | { readonly type: "logprobs"; readonly logprobs: unknown }
  /** The answer is complete; usage may follow. */
  | ({ readonly type: "end" } & AnswerEnd)
