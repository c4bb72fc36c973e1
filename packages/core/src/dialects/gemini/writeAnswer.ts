/** Writes an answer as one of Google's API. */
import type { AnswerEnd } from "../../conversation/Answer.ts"
import type { Tool } from "../../conversation/Conversation.ts"
import type { Part } from "../../conversation/Part.ts"
import type { ChatReply } from "../../engine/upstreams/ChatCapability.ts"
import { omitUndefined } from "../../values/ownFields.ts"
import type { AnswerFacts, UsageFacts } from "../AnswerFacts.ts"
import { type ToolFinder, makeToolFinder, writeArguments } from "../CalledTool.ts"
import { writeFinishReason } from "./finishReasons.ts"
import { type Json, getExtraFields } from "./geminiFields.ts"
import { writeGeminiUsage } from "./geminiUsage.ts"
import { writeLogprobs } from "./logprobs.ts"
import { writeSignature } from "./thoughtSignatures.ts"
import { writeOpaque, writeText, writeThought } from "./writeParts.ts"

export interface GeminiAnswerFacts extends Pick<AnswerFacts, "id" | "model"> {
  /** The tools of the request, whose calls get the names of the caller back. */
  readonly tools?: ReadonlyArray<Tool>
}

/** Writes one candidate for each answer. */
export const writeGeminiAnswer = (
  { choices }: Pick<ChatReply, "choices">,
  facts: GeminiAnswerFacts & UsageFacts
): Json => {
  const findTool = makeToolFinder(facts.tools ?? [])
  return makeGeminiAnswer(
    facts,
    choices.map(({ answer: { end, logprobs, parts }, index }) =>
      writeCandidate(index, {
        parts: parts.flatMap((part) => writePart(part, findTool)),
        logprobs,
        end
      })
    ),
    facts
  )
}

/** Makes a whole answer, or an event with its new parts. */
export const makeGeminiAnswer = (
  { id, model }: GeminiAnswerFacts,
  candidates: ReadonlyArray<Json>,
  usage: UsageFacts = {}
): Json => ({
  candidates,
  ...omitUndefined({ usageMetadata: writeGeminiUsage(usage) }),
  modelVersion: model,
  responseId: id
})

export interface CandidateContent {
  readonly parts: ReadonlyArray<Json>
  readonly logprobs?: unknown
  /** Absent: more follows. */
  readonly end?: AnswerEnd
}

/** Clients take a candidate without a part for none. */
export const writeCandidate = (
  index: number,
  { end, logprobs, parts }: CandidateContent
): Json => ({
  content: { role: "model", parts: parts.length === 0 ? [{ text: "" }] : parts },
  ...(end === undefined
    ? undefined
    : {
        finishReason: writeFinishReason(end.reason, end.nativeReason),
        ...omitUndefined({ finishMessage: end.explanation })
      }),
  ...writeLogprobs(logprobs),
  index
})

/** Thoughts of other providers are shown as thoughts, and go back to their provider by their signature. */
const writePart = (part: Part, findTool: ToolFinder): ReadonlyArray<Json> => {
  switch (part.type) {
    case "text":
      return writeText(part)
    case "refusal":
      return writeText({ type: "text", text: part.refusal })
    case "reasoning":
      return writeThought(part)
    case "call": {
      const thoughtSignature = writeSignature(part.signature)
      return [
        {
          functionCall: {
            id: part.id,
            name: findTool(part.name).name,
            args: writeArguments(part)
          },
          ...(thoughtSignature === undefined ? undefined : { thoughtSignature })
        }
      ]
    }
    case "audio":
    case "file":
    case "image":
    case "video":
      return part.source.type === "base64"
        ? [
            {
              inlineData: { mimeType: part.source.mediaType, data: part.source.data },
              ...getExtraFields(part.extra)
            }
          ]
        : []
    case "opaque":
      return writeOpaque(part)
    case "result":
      return []
  }
}
