/**
 * A whole answer, independent of the provider's dialect. Streamed answers are `AnswerEvent`s in the order of the parts.
 */
import type { Dialect } from "./Dialect.ts"
import type {
  AudioPart,
  Citation,
  FilePart,
  ImagePart,
  Part,
  ReasoningFormat,
  Signature,
  VideoPart
} from "./Part.ts"

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

/** The next characters of the text; never empty. */
export interface TextEvent {
  readonly type: "text"
  readonly text: string
}

/** The next characters of why the model declines; never empty. */
export interface RefusalEvent {
  readonly type: "refusal"
  readonly refusal: string
}

interface ThoughtFields {
  /** Events with the same key belong to one thought, and are joined. */
  readonly key: string
  readonly format: ReasoningFormat
  /** Thoughts with the same id belong to one item of the provider, such as `rs_1`. */
  readonly id?: string
}

/** The next characters of a thought, or what proves it. */
export interface ThoughtEvent extends ThoughtFields {
  readonly type: "thought"
  /** Empty where the event says something else. */
  readonly text: string
  readonly isSummary: boolean
  readonly signature?: string
}

/** An encrypted thought, which only its provider can read. */
export interface EncryptedEvent extends ThoughtFields {
  readonly type: "encrypted"
  readonly encrypted: string
}

/** A call, the same object in all of its events. Its id is unique within the answer. */
export interface StreamedCall {
  readonly id: string
  readonly name: string
  /** The namespace of the tool, in Responses. */
  readonly namespace?: string | undefined
  /** Whether the tool takes free text instead of JSON. */
  readonly isCustom: boolean
}

/** The beginning of a call, or the next characters of its arguments, which are complete with the answer. */
export interface CallEvent {
  readonly type: "call"
  readonly call: StreamedCall
  /** The next characters of the arguments; empty until the first ones arrive. */
  readonly text: string
}

/** Signs a call, or the last text; goes back with it. */
export interface SignatureEvent {
  readonly type: "signature"
  readonly signature: Signature
  /** Absent: it signs the text. */
  readonly callId?: string
}

/** A picture, sound, film or document, as a whole. */
export interface MediaEvent {
  readonly type: "media"
  readonly media: AudioPart | FilePart | ImagePart | VideoPart
}

/** A citation of the last text. */
export interface CitationEvent {
  readonly type: "citation"
  readonly citation: Citation
}

/** A piece that only one dialect has. */
export interface OpaqueEvent {
  readonly type: "opaque"
  readonly dialect: Dialect
  /** In the form of that dialect. */
  readonly raw: unknown
  /** The text for callers of other dialects. Absent: they get nothing. */
  readonly text?: string
}

/** One event of an answer; events come in the order of the parts of the whole answer. */
export type AnswerEvent =
  | CallEvent
  | CitationEvent
  | EncryptedEvent
  | MediaEvent
  | OpaqueEvent
  | RefusalEvent
  | SignatureEvent
  | TextEvent
  | ThoughtEvent
