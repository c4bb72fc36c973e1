/** What a request that consists of texts says, read from its own body. */
import type { Conversation, Turn } from "../conversation/Conversation.ts"
import { isObject } from "../values/json/guards.ts"

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

  /** Adds the next message; false for content that is neither a text nor parts that are texts. */
  addContent(role: Turn["role"], content: unknown, { mayBeEmpty, types }: TextParts): boolean {
    if (typeof content === "string") {
      this.add(role, 1, /\S/.test(content))
      return mayBeEmpty || content !== ""
    }
    if (!Array.isArray(content) || content.length === 0) return false
    let saysSomething = false
    for (let at = 0; at < content.length; at++) {
      const part: unknown = content[at]
      if (!isObject(part) || !types.has(part["type"])) return false
      const { text } = part
      if (typeof text !== "string" || (text === "" && !mayBeEmpty)) return false
      saysSomething ||= /\S/.test(text)
    }
    this.add(role, content.length, saysSomething)
    return true
  }
}

/** Which parts of a dialect are texts. */
export interface TextParts {
  readonly types: ReadonlySet<unknown>
  readonly mayBeEmpty: boolean
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
