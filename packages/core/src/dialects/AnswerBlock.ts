/** The blocks of a streamed answer: each begins, grows and ends, the same object from its beginning to its end. */
import type {
  CitationEvent,
  EncryptedEvent,
  MediaEvent,
  OpaqueEvent,
  SignatureEvent,
  StreamedCall
} from "../conversation/Answer.ts"
import type { ReasoningFormat, Signature } from "../conversation/Part.ts"
import type { StreamedArguments } from "./chat/StreamedArguments.ts"

export interface TextBlock {
  readonly type: "text"
  /** Known at its end. */
  readonly signature?: Signature
}

export interface RefusalBlock {
  readonly type: "refusal"
}

interface ThoughtFields {
  readonly key: string
  /** The last format that arrived, because details may come late. */
  readonly format: ReasoningFormat
  readonly id?: string
  /** The encrypted text so far. An encrypted thought is whole at the end. */
  readonly encrypted: string
}

export interface ThoughtBlock extends ThoughtFields {
  readonly type: "thought"
  readonly isSummary: boolean
  readonly signature: string
}

export interface EncryptedBlock extends ThoughtFields {
  readonly type: "encrypted"
}

export interface CallBlock {
  readonly type: "call"
  readonly call: StreamedCall
  /** The arguments so far. */
  readonly args: StreamedArguments
  /** Known at its end. */
  readonly signature?: Signature
}

export type AnswerBlock = CallBlock | EncryptedBlock | RefusalBlock | TextBlock | ThoughtBlock

/** What a writer makes of blocks, and which of them its format has. */
export interface BlockRules {
  /**
   * `together`: calls stay open until the answer ends. `whole`: calls that are whole also end when something else comes.
   * `inTurn`: a call ends before the next block begins, which waits for that.
   */
  readonly calls: "inTurn" | "together" | "whole"
  readonly begin: (block: AnswerBlock) => void
  /** The next characters of a text, a refusal, a thought or the arguments of a call. */
  readonly extend: (block: AnswerBlock, text: string) => void
  readonly end: (block: AnswerBlock) => void
  /** Handles events that are not blocks. Media and opaque parts end the open block, and citations are about it. */
  readonly add: (
    event: CitationEvent | MediaEvent | OpaqueEvent,
    open: AnswerBlock | undefined
  ) => void
  /** Whether the format tells refusals from texts. Default: they are written as texts. */
  readonly hasRefusals?: boolean
  /** Whether the format has a place for opaque parts. Default: only their texts are written. */
  readonly hasOpaque?: boolean
  /** Whether the signature is written with its text or call. Default: it is written as an encrypted thought. */
  readonly holds?: (event: SignatureEvent) => boolean
  /** Whether an encrypted event belongs to the open thought. Default: it is a block of its own. */
  readonly joins?: (thought: ThoughtBlock, event: EncryptedEvent) => boolean
  /** Whether `next` may end this call, of which more could come; needed in turns. */
  readonly mayEnd?: (call: CallBlock, next: "call" | "other") => boolean
}
