/** Several answers to one request: most dialects have one. */
import type { Conversation } from "../conversation/Conversation.ts"

export const hasSeveralAnswers = ({ answers = 1 }: Pick<Conversation, "answers">): boolean =>
  answers > 1

export const severalAnswers = "must be 1: this provider's API gives one answer to a request"
