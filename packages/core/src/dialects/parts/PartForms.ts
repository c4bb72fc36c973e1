/** How a library with parts of prompts and answers, such as the AI SDK, writes the parts of an answer. */
import type { Citation, Part } from "../../conversation/Part.ts"
import type { ReasoningMetadata, SignatureMetadata, TextMetadata } from "./partMetadata.ts"

/** A call that is whole. */
export interface WrittenCall {
  readonly id: string
  /** The tool's name in the caller's request. */
  readonly name: string
  /** The JSON text of the arguments as the model wrote it; of a `custom` tool any text. */
  readonly arguments: string
  readonly isCustom?: true
}

export type MediaPart = Extract<Part, { readonly source: unknown }>

/**
 * `Common` are parts of whole and of streamed answers; `Whole` and `Streamed` are parts of one of them only. Content
 * without a part in the library is left out.
 */
export interface PartForms<Common, Whole, Streamed> {
  readonly writeCall: (call: WrittenCall, metadata: SignatureMetadata | undefined) => Common
  readonly writeMedia: (media: MediaPart) => ReadonlyArray<Common>
  readonly writeSource: (citation: Citation) => ReadonlyArray<Common>
  readonly writeText: (text: string, metadata: TextMetadata | undefined) => Whole
  readonly writeReasoning: (text: string, metadata: ReasoningMetadata) => Whole
  readonly startText: (id: string) => Streamed
  readonly extendText: (id: string, delta: string) => Streamed
  readonly endText: (id: string, metadata: TextMetadata | undefined) => Streamed
  readonly startReasoning: (id: string, metadata: ReasoningMetadata) => Streamed
  readonly extendReasoning: (id: string, delta: string) => Streamed
  readonly endReasoning: (id: string, metadata: ReasoningMetadata) => Streamed
  readonly startCall: (id: string, name: string) => Streamed
  readonly extendCall: (id: string, delta: string) => Streamed
  readonly endCall: (id: string) => Streamed
}
