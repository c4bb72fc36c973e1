/** The parts of a turn: texts, media, thoughts, calls and results. */
import type { Dialect, Extra } from "./Dialect.ts"

/** Marks the end of a prefix that the provider may cache for later requests. */
export interface CacheMark {
  readonly type: "ephemeral"
  /** How long the prefix is kept; absent: the default of the provider. */
  readonly ttl?: string
}

interface PartFields {
  readonly cache?: CacheMark
  readonly extra?: Extra
}

/** What a text is based on. A source without an address, such as a file of the caller, is not cited. */
export interface Citation {
  readonly url: string
  readonly title?: string
  /** The cited text of the source. */
  readonly text?: string
  /** The cited range of the answer, all texts joined: from and to, in UTF-16 code units. */
  readonly start?: number
  readonly end?: number
}

/** Text for the model or of the model. */
export interface TextPart extends PartFields {
  readonly type: "text"
  readonly text: string
  /** The sources of the text; absent: nothing is cited. */
  readonly citations?: ReadonlyArray<Citation>
  /** Gemini signs text too; goes back with it, unchanged. */
  readonly signature?: Signature
}

/** Where the bytes of a medium are. */
export type MediaSource =
  /** The URL of a public host, or a storage URL of the provider, such as `gs://`. */
  | { readonly type: "url"; readonly url: string; readonly mediaType?: string }
  /** `data` is base64 without line breaks. */
  | { readonly type: "base64"; readonly mediaType: string; readonly data: string }
  /** The id of a file that was uploaded to the provider of `dialect`. */
  | { readonly type: "id"; readonly id: string; readonly dialect: Dialect }

/** An image. */
export interface ImagePart extends PartFields {
  readonly type: "image"
  readonly source: MediaSource
  /** How closely the model looks, such as `low` or `high`. */
  readonly detail?: string
}

/** A document, such as a PDF. */
export interface FilePart extends PartFields {
  readonly type: "file"
  readonly source: MediaSource
  readonly filename?: string
}

/** Spoken or other sound. */
export interface AudioPart extends PartFields {
  readonly type: "audio"
  readonly source: MediaSource
  /** Such as `wav` or `mp3`. */
  readonly format?: string
}

/** A film. */
export interface VideoPart extends PartFields {
  readonly type: "video"
  readonly source: MediaSource
}

/**
 * The format of a signature or of encrypted reasoning, which says who can read it, such as `anthropic-claude-v1`,
 * `openai-responses-v1` or `google-gemini-v1`: the values of `reasoning_details[].format`.
 */
export type ReasoningFormat = string

/** An opaque proof of the provider that goes back unchanged, and to its own family only. */
export interface Signature {
  readonly format: ReasoningFormat
  readonly value: string
}

/**
 * What the model thought before it went on. Without `text` and with `encrypted`, only its provider can read it.
 */
export interface ReasoningPart {
  readonly type: "reasoning"
  readonly format: ReasoningFormat
  /** What the model thought, or a summary of it. */
  readonly text?: string
  /** Whether `text` is a summary. */
  readonly isSummary?: true
  /** Proves `text` to its provider. */
  readonly signature?: string
  /** The thought itself, readable for its provider only. */
  readonly encrypted?: string
  /** Parts with the same id belong to one item of the provider, such as `rs_1`. */
  readonly id?: string
  readonly extra?: Extra
}

/** A call that the model asks for. */
export interface CallPart extends PartFields {
  readonly type: "call"
  /** Opaque; the result names it. */
  readonly id: string
  readonly name: string
  /** The JSON text of the arguments as the model wrote it; of a `custom` tool its input, which is any text. */
  readonly arguments: string
  /** Whether the tool takes free text instead of JSON. */
  readonly isCustom?: true
  /** The namespace of the tool, in Responses. */
  readonly namespace?: string
  readonly signature?: Signature
}

/** What a call returned. */
export interface ResultPart extends PartFields {
  readonly type: "result"
  readonly callId: string
  /** The name of the tool; absent: the name in the call. */
  readonly name?: string
  /** A single text in most cases; empty: the tool returned nothing. */
  readonly content: ReadonlyArray<
    AudioPart | FilePart | ImagePart | OpaquePart | TextPart | VideoPart
  >
  /** Whether `content` says why the call failed. */
  readonly isError?: true
  readonly isCustom?: true
}

/** Why the model declined to answer. */
interface RefusalPart {
  readonly type: "refusal"
  readonly refusal: string
}

/** A part that only one dialect has, such as a call that its provider ran itself. */
export interface OpaquePart {
  readonly type: "opaque"
  readonly dialect: Dialect
  /** In the form of that dialect. */
  readonly raw: unknown
  /** The text in an answer for callers of other dialects. Absent: they get nothing. */
  readonly text?: string
}

export type Part =
  | AudioPart
  | CallPart
  | FilePart
  | ImagePart
  | OpaquePart
  | ReasoningPart
  | RefusalPart
  | ResultPart
  | TextPart
  | VideoPart
