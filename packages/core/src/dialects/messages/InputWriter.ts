/** Streams the input of a call as pieces of a JSON object. */
import { findJson, isObject } from "../../values/json/guards.ts"

/** The pieces of one input; together they are a JSON object, unless the model's arguments were cut. */
export interface InputWriter {
  /** The piece to send for the next piece of the arguments; may be empty. */
  readonly push: (text: string) => string
  /** The last piece; may be empty. */
  readonly end: () => string
  readonly hasStarted: () => boolean
  /** Whether the object is closed, so that nothing can follow. */
  readonly isComplete: () => boolean
}

/** Arguments that are JSON already. Those that are no object are held back until their end. */
export const makeJsonInputWriter = (): InputWriter => {
  let state: "before" | "complete" | "object" | "other" = "before"
  const held: Array<string> = []
  let depth = 0
  let isInString = false
  let isEscaped = false

  /** The part of the text that belongs to the object. */
  const scan = (text: string): string => {
    for (let at = 0; at < text.length; at++) {
      const character = text[at]
      if (isEscaped) isEscaped = false
      else if (isInString) {
        if (character === "\\") isEscaped = true
        else if (character === '"') isInString = false
      } else if (character === '"') isInString = true
      else if (character === "{" || character === "[") depth++
      else if ((character === "}" || character === "]") && --depth === 0) {
        state = "complete"
        return text.slice(0, at + 1)
      }
    }
    return text
  }

  return {
    push: (text) => {
      const added = state === "before" ? text.trimStart() : text
      if (added === "") return ""
      if (state === "before") state = added.startsWith("{") ? "object" : "other"
      if (state === "other") {
        held.push(added)
        return ""
      }
      // Some providers repeat all arguments at the end.
      return state === "object" ? scan(added) : ""
    },
    end: () => (state === "other" ? toObjectText(held.join("")) : ""),
    hasStarted: () => state !== "before",
    isComplete: () => state === "complete"
  }
}

/** Some providers say `null` where there are no arguments. */
const toObjectText = (text: string): string => {
  const json = findJson(text)
  if (json === null) return "{}"
  if (isObject(json)) return text
  return JSON.stringify({ invalid_arguments: text })
}

/** Free text, which becomes the only argument of a function. */
export const makeTextInputWriter = (): InputWriter => {
  let hasStarted = false
  return {
    push: (text) => {
      const opening = hasStarted ? "" : '{"input":"'
      hasStarted = true
      return opening + JSON.stringify(text).slice(1, -1)
    },
    end: () => (hasStarted ? '"}' : '{"input":""}'),
    hasStarted: () => hasStarted,
    // Any text may go on; providers send such calls one after the other.
    isComplete: () => true
  }
}
