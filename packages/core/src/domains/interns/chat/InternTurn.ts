/** A chat turn, as a host receives and answers it. */
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type * as Stream from "effect/Stream"
import type { Caller } from "../../../tenants/auth/Caller.ts"
import type { ChatRequest } from "../../chat/request/ChatRequest.ts"
import type { ChatError } from "../../chat/Chats.ts"
import type { ChatStream } from "../../chat/stream/streamChat.ts"
import type { InternChatFailure } from "./InternChatRequest.ts"
import type { InternChatUsage } from "./InternChatChunk.ts"

/** One message of a conversation with an intern. */
export interface InternMessage {
  readonly role: "assistant" | "developer" | "system" | "tool" | "user"
  /** May be empty when an assistant only called tools. */
  readonly text: string
}

/** A message of the user, or the answer to a question of the intern. */
export type InternPrompt =
  | { readonly role: "user"; readonly text: string }
  | { readonly role: "tool"; readonly text: string; readonly questionId: string }

/** A turn from an untrusted caller. */
export interface InternTurnRequest {
  readonly prompt: InternPrompt
  /** The earlier messages; an intern with memory ignores them. */
  readonly history: ReadonlyArray<InternMessage>
  /** 1 to 256 characters; present when a question is answered. */
  readonly session?: string
  /** `manual`: the intern asks before actions that need approval. */
  readonly approval: "manual" | "self-drive"
}

/** A turn for a host. */
export interface InternTurn extends InternTurnRequest {
  /** A caller of the workspace of the intern. */
  readonly caller: Caller
  /**
   * Calls a model of this service with the account, limits and records of the caller. The call ends with the turn.
   */
  readonly callModel: (request: ChatRequest) => Effect.Effect<ChatStream, ChatError, Scope.Scope>
}

/** Failures of the host, or of the model it called. */
export type InternChatError = InternChatFailure | ChatError

/** An event of an answer. */
export type InternChatEvent =
  | { readonly type: "delta"; readonly content?: string; readonly reasoning?: string }
  /** The intern needs an answer to continue; the last event of the turn. */
  | {
      readonly type: "question"
      /** The `tool_call_id` of the answer. */
      readonly id: string
      /** JSON text. */
      readonly argumentsJson: string
    }
  /** The last event of a complete turn. */
  | { readonly type: "end"; readonly usage?: InternChatUsage }

/** The answer to a turn. */
export type InternAnswer =
  | {
      readonly type: "stream"
      /** The session that a later turn continues. */
      readonly session: string
      /** The id of the answer; default: a new id. */
      readonly id?: string
      /** The model that answers; default: the model of the intern. */
      readonly model?: string
      /** Can be read once. A stream without an `end` or a `question` is truncated. */
      readonly events: Stream.Stream<InternChatEvent, InternChatError>
    }
  /** The prompt was added to a running turn, whose caller gets the answer. */
  | { readonly type: "steered"; readonly session: string }
