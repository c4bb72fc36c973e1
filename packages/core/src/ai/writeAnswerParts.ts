/** Writes a whole answer as the parts of a response. */
import type * as Response from "effect/ai/Response"
import type { ChatAnswer } from "../domains/chat/ChatAnswer.ts"
import type { Answer } from "../conversation/Answer.ts"
import type { Tool } from "../conversation/Conversation.ts"
import { writeParts } from "../dialects/parts/writeParts.ts"
import type { CallRecorder } from "../api/inProcess/CallRecorder.ts"
import { writeFinish, writeResponseMetadata } from "./answerEnd.ts"
import { partForms } from "./partForms.ts"

/** A language model has one answer, so other choices are dropped. */
export const writeAnswerParts = (
  answer: ChatAnswer,
  tools: ReadonlyArray<Tool>,
  observer: CallRecorder
): Array<Response.PartEncoded> => {
  const { id, model, provider, reply, startedAt } = answer
  const head = { generationId: id, model, provider, startedAt }
  const choice = reply.choices.find(({ index }) => index === 0) ?? reply.choices[0]
  const said: Answer = choice?.answer ?? { parts: [], end: { reason: null } }
  const hasCalls = said.parts.some(({ type }) => type === "call")
  return [
    writeResponseMetadata(head),
    ...writeParts(said, partForms, tools),
    writeFinish(head, { ...answer, end: said.end, marks: reply, hasCalls }, observer)
  ]
}
