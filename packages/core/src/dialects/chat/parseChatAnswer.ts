/** Parses the message of an answer in OpenAI's chat dialect. */
import type { Answer, AnswerEnd } from "../../conversation/Answer.ts"
import type { Citation, Part } from "../../conversation/Part.ts"
import { makeUnreadAnswer } from "../AnswerFacts.ts"
import { parseAnnotations } from "./annotations.ts"
import { parseAssistantMessage } from "./assistantMessage.ts"
import { findOtherFields, parseAudioAnswer } from "./otherFields.ts"
import { parseContent, parseImages } from "./parseContent.ts"

type Json = Readonly<Record<string, unknown>>

/** The parts are parsed on first access: callers of the chat API get the message itself. */
export const parseChatAnswer = (message: Json, end: AnswerEnd, logprobs?: unknown): Answer =>
  makeUnreadAnswer(() => parseMessage(message), end, logprobs ?? undefined)

const parseMessage = (message: Json): ReadonlyArray<Part> => {
  const { annotations, images, media } = message
  const others = findOtherFields(message)
  const said = parseAssistantMessage(message)
  return addCitations(
    [
      ...said,
      ...parseAudioAnswer(message["audio"], said),
      ...parseImages(images),
      ...parseContent(media).filter((part) => "source" in part),
      ...(others === undefined ? [] : [{ type: "opaque", dialect: "chat", raw: others } as const])
    ],
    parseAnnotations(annotations)
  )
}

/** To the last text: the dialect does not say which of several cites. */
export const addCitations = (
  parts: ReadonlyArray<Part>,
  citations: ReadonlyArray<Citation>
): ReadonlyArray<Part> => {
  if (citations.length === 0) return parts
  const last = parts.findLastIndex(({ type }) => type === "text")
  return last === -1
    ? [...parts, { type: "text", text: "", citations }]
    : parts.map((part, at) =>
        at === last && part.type === "text"
          ? { ...part, citations: [...(part.citations ?? []), ...citations] }
          : part
      )
}
