/** Writes a whole answer as the parts of a response. */
import type * as Response from "effect/ai/Response"
import type { ChatAnswer } from "../domains/chat/ChatAnswer.ts"
import type { Tool } from "../conversation/Conversation.ts"
import { writeParts } from "../dialects/parts/writeParts.ts"
import type { CallRecorder } from "../api/inProcess/CallRecorder.ts"
import { writeFinish, writeResponseMetadata } from "./answerEnd.ts"
import { partForms } from "./partForms.ts"

export const writeAnswerParts = (
  answer: ChatAnswer,
  tools: ReadonlyArray<Tool>,
  observer: CallRecorder
): Array<Response.PartEncoded> => {
  const { id, model, provider, reply, startedAt } = answer
  const head = { generationId: id, model, provider, startedAt }
  const { parts, ...said } = writeParts(reply, partForms, tools)
  const finish = writeFinish(head, { ...answer, ...said, marks: reply }, observer)
  return [writeResponseMetadata(head), ...parts, finish]
}
