/** Writes a whole answer as the parts of a response. */
import type * as Response from "effect/ai/Response"
import type { ChatAnswer } from "../domains/chat/ChatAnswer.ts"
import type { Part } from "../conversation/Part.ts"
import { parseArguments } from "../dialects/callArguments.ts"
import type { ToolNames } from "../dialects/ToolNames.ts"
import { writeFinish, writeResponseMetadata } from "./answerEnd.ts"
import type { CallRecorder } from "../api/inProcess/CallRecorder.ts"
import { writeSources } from "./writeSources.ts"
import { writeMedia } from "./writeMedia.ts"
import { toReasoningMetadata } from "./toReasoningMetadata.ts"

/** A language model has one answer, so other choices are dropped. */
export const writeAnswerParts = (
  answer: ChatAnswer,
  names: ToolNames,
  observer: CallRecorder
): Array<Response.PartEncoded> => {
  const { id, model, provider, reply, startedAt } = answer
  const head = { generationId: id, model, provider, startedAt }
  const choice = reply.choices.find(({ index }) => index === 0) ?? reply.choices[0]
  const { end, parts } = choice?.answer ?? { parts: [], end: { reason: null } }
  return [
    writeResponseMetadata(head),
    ...parts.flatMap((part) => writePart(part, names)),
    ...parts.flatMap((part) => (part.type === "text" ? writeSources(part.citations ?? []) : [])),
    writeFinish(
      head,
      {
        end: answer,
        marks: reply,
        finishReason: end.reason,
        nativeFinishReason: end.nativeReason,
        hasCalls: parts.some(({ type }) => type === "call")
      },
      observer
    )
  ]
}

const writePart = (part: Part, names: ToolNames): ReadonlyArray<Response.PartEncoded> => {
  switch (part.type) {
    case "text":
      // What holds citations alone is no text.
      if (part.text === "" && part.signature === undefined) return []
      return [
        {
          type: "text",
          text: part.text,
          ...(part.signature === undefined
            ? undefined
            : { metadata: { signalbox: { signature: { ...part.signature } } } })
        }
      ]
    case "refusal":
      return [{ type: "text", text: part.refusal }]
    case "reasoning":
      return [
        {
          type: "reasoning",
          text: part.text ?? "",
          metadata: { signalbox: toReasoningMetadata(part) }
        }
      ]
    case "call":
      return [
        {
          type: "tool-call",
          id: part.id,
          name: names.fromDialect(part.name).name,
          // What is no JSON fails the schema of the tool, whose failure mode decides.
          params: parseArguments(part) ?? part.arguments,
          ...(part.signature === undefined
            ? undefined
            : { metadata: { signalbox: { signature: { ...part.signature } } } })
        }
      ]
    case "audio":
    case "file":
    case "image":
    case "video":
      return writeMedia(part)
    case "opaque":
      return part.text === undefined ? [] : [{ type: "text", text: part.text }]
    case "result":
      return []
  }
}
