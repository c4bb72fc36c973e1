/** What content filters do with an answer. */
import type { ChatDeltaEvent, ChatReply } from "../../engine/upstreams/ChatCapability.ts"
import type { ContentBlocked } from "./FilterReport.ts"

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
