/** Finds what of an answer the API of its caller has no place for, such as a picture in the Messages API. */
import type { AnswerEvent, MediaEvent } from "../../conversation/Answer.ts"
import type { Dialect } from "../../conversation/Dialect.ts"
import type { Part } from "../../conversation/Part.ts"
import { isShownImage } from "../../dialects/responses/imageItem.ts"
import type { ChatDeltaEvent, ChatReply } from "../../engine/upstreams/ChatCapability.ts"
import { UpstreamFailure } from "../../engine/upstreams/failures/UpstreamFailure.ts"

/** Another endpoint may answer otherwise. */
export const unsayableFailure = new UpstreamFailure({
  kind: "invalid_answer",
  detail: "the answer has only media, which this API cannot carry"
})

type Medium = MediaEvent["media"]

/** Collects what of an answer reaches its caller. */
export interface SayableReader {
  readonly addPieces: (pieces: ReadonlyArray<ChatDeltaEvent>) => void
  readonly addParts: (parts: ReadonlyArray<Part>) => void
  /** Whether the caller gets nothing of an answer with content, so that it has not begun for its caller. */
  readonly hasOnlyOmitted: () => boolean
  /** What the caller does not get, such as `omitted_content.image`; undefined: nothing. */
  readonly listOmitted: () => ReadonlyArray<string> | undefined
}

/** Undefined for callers who get everything. */
export const makeSayableReader = (dialect: Dialect): SayableReader | undefined => {
  if (dialect !== "messages" && dialect !== "responses") return undefined
  const isCarried = dialect === "responses" ? isShownImage : isNever
  let hasSaid = false
  let omitted: Set<string> | undefined
  const add = (said: AnswerEvent | Part): void => {
    const medium = findMedium(said)
    if (medium === undefined ? saysSomething(said) : isCarried(medium)) hasSaid = true
    else if (medium !== undefined) (omitted ??= new Set()).add(`omitted_content.${medium.type}`)
  }
  return {
    addPieces: (pieces) => {
      for (const { choices, native } of pieces) {
        // It is passed on unchanged.
        if (native !== undefined) hasSaid = true
        else for (const { events } of choices) for (const event of events) add(event)
      }
    },
    addParts: (parts) => {
      for (const part of parts) add(part)
    },
    hasOnlyOmitted: () => omitted !== undefined && !hasSaid,
    listOmitted: () => omitted && Array.from(omitted)
  }
}

/** Undefined when the caller gets all of it: a reply in the API of its caller is passed on unchanged. */
export const readSayable = (
  { choices: [choice], native }: ChatReply,
  dialect: Dialect
): SayableReader | undefined => {
  if (native !== undefined || choice === undefined) return undefined
  const reader = makeSayableReader(dialect)
  reader?.addParts(choice.answer.parts)
  return reader
}

const isNever = (): boolean => false

const findMedium = (said: AnswerEvent | Part): Medium | undefined => {
  if (said.type === "media") return said.media
  return "source" in said ? said : undefined
}

const saysSomething = (said: AnswerEvent | Part): boolean => {
  if (said.type === "text") return said.text !== ""
  if (said.type === "refusal") return said.refusal !== ""
  if (said.type === "opaque") return (said.text ?? "") !== ""
  return speakingTypes.has(said.type)
}

const speakingTypes: ReadonlySet<AnswerEvent["type"] | Part["type"]> = new Set([
  "call",
  "encrypted",
  "reasoning",
  "thought"
])
