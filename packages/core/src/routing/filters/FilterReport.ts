/** What the content filters of a request found and did, without any of its text. */
import * as Data from "effect/Data"
import type { LimitExceeded } from "../../engine/ledger/LedgerErrors.ts"
import type { GenerationFilter } from "../../engine/observability/generations/Generation.ts"
import type { GuardrailStage } from "../PipelineStage.ts"
import type { ChatDeltaEvent, ChatReply } from "../../engine/upstreams/ChatCapability.ts"

/** What is known of a request that was screened. */
export interface FilterReport {
  readonly stages: ReadonlyArray<GuardrailStage>
  /** For the record of the request. */
  readonly found: ReadonlyArray<GenerationFilter>
  /** Why the request must not be sent: what it says, or that its caller cannot pay for a check. Absent: it may. */
  readonly blocked?: ContentBlocked | LimitExceeded
  /** What is done with its answer; absent: nothing. */
  readonly answers?: AnswerFilter
}

/** A guardrail does not let the content of the request through, or not that of its answer. */
export class ContentBlocked extends Data.TaggedError("ContentBlocked")<{
  /** Such as `[EMAIL]`. */
  readonly label: string
  /** The rules that matched, of prompt injection; absent: it was something else. */
  readonly patterns?: ReadonlyArray<string>
  /** Whether the answer was at fault; absent: the request. */
  readonly isAnswer?: true
}> {}

/** Filters the pieces of a streamed answer. */
export interface StreamFilter {
  /** Returns what may be sent now. */
  readonly push: (pieces: ReadonlyArray<ChatDeltaEvent>) => ReadonlyArray<ChatDeltaEvent>
  /** Returns what was held back; called once, at the end. */
  readonly flush: () => ReadonlyArray<ChatDeltaEvent>
}

/** Filters the answer of one request. What it finds joins the report of the request. */
export interface AnswerFilter {
  /** The answer as callers and logs may see it, but for what is put back. */
  readonly screen: (reply: ChatReply) => ChatReply
  /** The answer with the contents that the request had, for its caller only. */
  readonly restore: (reply: ChatReply) => ChatReply
  /** Why a whole answer must not be sent; undefined: it may. */
  readonly findBlock: () => ContentBlocked | undefined
  /** The same for a stream; undefined: there is nothing to do. A stream that is blocked ends with `content_filter`. */
  readonly makeStreamScreen: () => StreamFilter | undefined
  readonly makeStreamRestore: () => StreamFilter | undefined
}
