/** The answer of a chat in process: that of the HTTP API, with its text at hand. */
import { type ChatAnswer, toChatCompletion } from "./ChatAnswer.ts"
import type { ChatCompletion } from "./ChatCompletion.ts"

/** The answer of a chat in process. */
export interface InProcessCompletion extends ChatCompletion {
  /**
   * The text of the first choice; empty where the model only calls tools or refuses. It is no part of the JSON of the answer,
   * nor of a copy by `{ ...answer }`.
   */
  readonly text: string
}

export const toInProcessCompletion = (answer: ChatAnswer): InProcessCompletion =>
  // The property has the type of its getter.
  Object.defineProperty(toChatCompletion(answer), "text", text) as InProcessCompletion

const text: ThisType<ChatCompletion> & PropertyDescriptor = {
  get() {
    const content = this.choices[0]?.message.content
    return typeof content === "string"
      ? content
      : (content ?? []).map((part) => (part.type === "text" ? part.text : "")).join("")
  }
}
