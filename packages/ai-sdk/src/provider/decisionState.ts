/** Converts the state of the AI SDK's decision to the state of a Decision. */
import { UnsupportedFunctionalityError } from "@ai-sdk/provider"
import { writeChatPart } from "@signalbox/core/dialects"
import type { DecisionState } from "./DecisionModel.ts"
import { parseFile } from "./parseFile.ts"

/** One part is the state itself; several are a list. */
export const parseState = (state: DecisionState): string | object => {
  const [first, ...others] = state
  if (first === undefined) return ""
  if (others.length > 0 || first.type === "file") return state.flatMap(parsePart)
  if (first.type === "text") return first.text
  return typeof first.value === "object" && first.value !== null
    ? first.value
    : JSON.stringify(first.value)
}

const parsePart = (part: DecisionState[number]): ReadonlyArray<unknown> => {
  switch (part.type) {
    case "text":
      return [part.text]
    case "json":
      return [part.value]
    case "file": {
      if (part.data.type === "text") return [part.data.text]
      const media = parseFile(part)
      if (media.type === "image") return writeChatPart(media)
      const functionality = `files of the type ${part.mediaType} in the state of a decision`
      throw new UnsupportedFunctionalityError({
        functionality,
        message: `Signalbox does not take ${functionality}. Send texts, JSON and images.`
      })
    }
  }
}
