/** What a request that consists of texts says, read from its own body. */
import type { Conversation, Turn } from "../conversation/Conversation.ts"

/** Counts what the router asks of the content, message by message, as a translation to turns would have it. */
export class PlainTexts {
  /** How many messages it is in the chat dialect. */
  messages = 0
  /** The most parts of one message. Texts of an answer become one. */
  mostParts = 0
  /** The message, counted from 0, that is the beginning of the answer; undefined: there is none. */
  prefill: number | undefined = undefined

  /** Adds the next message: a text, or parts of which each is one. `saysSomething`: not only white space. */
  add(role: Turn["role"], parts: number, saysSomething: boolean): void {
    if (role !== "assistant") {
      this.mostParts = Math.max(this.mostParts, parts)
      this.prefill = undefined
    } else if (saysSomething) this.prefill = this.messages
    this.messages++
  }
}

/** A request of texts, which is translated when its turns are first needed. */
export interface UnreadConversation {
  readonly settings: Omit<Conversation, "turns">
  readonly texts: PlainTexts
  readonly toTurns: () => ReadonlyArray<Turn>
}

export const isUnread = (
  conversation: Conversation | UnreadConversation
): conversation is UnreadConversation => "toTurns" in conversation

/** All of it but what was said. */
export const getSettings = (
  conversation: Conversation | UnreadConversation
): Omit<Conversation, "turns"> => (isUnread(conversation) ? conversation.settings : conversation)
