/** Finds answers that the API of their caller has no place for, such as a picture alone in the Messages API. */
import type { AnswerEvent } from "../../conversation/AnswerEvent.ts"
import type { Dialect } from "../../conversation/Dialect.ts"
import type { Part } from "../../conversation/Part.ts"
import type { ChatDeltaEvent, ChatReply } from "../../engine/upstreams/ChatCapability.ts"
import { UpstreamFailure } from "../../engine/upstreams/failures/UpstreamFailure.ts"

/** Another endpoint may answer otherwise. */
export const unsayableFailure = new UpstreamFailure({
  kind: "invalid_answer",
  detail: "the answer has only media, which this API cannot carry"
})

/** Whether callers of this API get media. */
const carriesMedia = (dialect: Dialect): boolean => dialect !== "messages"

/**
 * Whether a caller in this dialect would get nothing of a reply with content. A reply in the API of its caller is
 * passed on unchanged.
 */
export const isUnsayable = ({ choices, native }: ChatReply, dialect: Dialect): boolean => {
  if (native !== undefined || carriesMedia(dialect)) return false
  const [choice] = choices
  if (choice === undefined) return false
  const { parts } = choice.answer
  return parts.some(isMedia) && !parts.some(saysSomething)
}

/** Collects the text of a stream so far, for a caller who gets no media. */
interface SayableReader {
  readonly add: (pieces: ReadonlyArray<ChatDeltaEvent>) => void
  /** Whether it has media alone, so that it has not begun for its caller. */
  readonly hasOnlyMedia: () => boolean
}

/** Undefined for callers who get everything. */
export const makeSayableReader = (dialect: Dialect): SayableReader | undefined => {
  if (carriesMedia(dialect)) return undefined
  let hasSaid = false
  let hasShown = false
  return {
    add: (pieces) => {
      for (const { choices } of pieces) {
        for (const { events } of choices) {
          if (events.some(saysSomething)) hasSaid = true
          else if (events.some(({ type }) => type === "media")) hasShown = true
        }
      }
    },
    hasOnlyMedia: () => hasShown && !hasSaid
  }
}

const isMedia = (part: Part): boolean => "source" in part

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
