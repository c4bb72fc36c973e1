/** One turn of a conversation with an intern, as its host is asked for it and answers. */
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type * as Stream from "effect/Stream"
import type { Caller } from "../../auth/Caller.ts"
import type { ChatRequest } from "../../chat/ChatRequest.ts"
import type { ChatError, ChatStream } from "../../chat/Chats.ts"
import type { InternChatFailure } from "./InternChatErrors.ts"
import type { InternChatUsage } from "./InternChatChunk.ts"

/** One message of a conversation with an intern. */
export interface InternMessage {
  readonly role: "assistant" | "developer" | "system" | "tool" | "user"
  /** May be empty of an assistant that only called tools. */
  readonly text: string
}

/** What the turn is about: what a user says, or the answer to a question the intern has asked. */
export type InternPrompt =
  | { readonly role: "user"; readonly text: string }
  | { readonly role: "tool"; readonly text: string; readonly questionId: string }

/** What is asked of an intern. From an untrusted source. */
export interface InternTurnRequest {
  readonly prompt: InternPrompt
  /** What the caller has of the conversation before it; an intern that remembers does without. */
  readonly history: ReadonlyArray<InternMessage>
  /** 1 to 256 characters; always there when a question is answered. */
  readonly session?: string
  /** `manual`: the intern asks before it does what needs leave. */
  readonly approval: "manual" | "self-drive"
}

/** What a host of interns is asked in one turn. */
export interface InternTurn extends InternTurnRequest {
  /** Who asks, of the workspace of the intern. */
  readonly caller: Caller
  /**
   * Asks a model of this service: on the account, within the limits and in the records of the caller. The call
   * ends with the turn.
   */
  readonly callModel: (request: ChatRequest) => Effect.Effect<ChatStream, ChatError, Scope.Scope>
}

/** What a model cannot answer fails as it does for everybody else. */
export type InternChatError = InternChatFailure | ChatError

/** One piece of an answer. */
export type InternChatEvent =
  | { readonly type: "delta"; readonly content?: string; readonly reasoning?: string }
  /** It wants an answer before it goes on: the last event of this turn. */
  | {
      readonly type: "question"
      /** What the answer names it by. */
      readonly id: string
      /** JSON text. Source: wire, InternChatToolCallFunction. */
      readonly argumentsJson: string
    }
  /** The last event of every turn that is whole. */
  | { readonly type: "end"; readonly usage?: InternChatUsage }

/** The answer to a turn: what it says, piece by piece. */
export type InternAnswer =
  | {
      readonly type: "stream"
      /** What a later turn continues. */
      readonly session: string
      /** Names the answer; default: a fresh name. */
      readonly id?: string
      /** The model that answers; default: that of the intern. */
      readonly model?: string
      /** To be read once. One that ends without an `end` or a `question` was cut off. */
      readonly events: Stream.Stream<InternChatEvent, InternChatError>
    }
  /** What was said went into a turn that is running; whoever began that gets the answer. */
  | { readonly type: "steered"; readonly session: string }
