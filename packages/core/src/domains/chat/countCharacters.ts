/** Counts the characters of text in an answer, whose tokens are estimated where its provider reports no usage. */
import type { AnswerEvent } from "../../conversation/Answer.ts"
import type { OpaquePart, Part } from "../../conversation/Part.ts"

/** Media count nothing: their tokens are not of text. */
export const countEventCharacters = (event: AnswerEvent): number => {
  switch (event.type) {
    case "text":
      return event.text.length
    case "refusal":
      return event.refusal.length
    case "thought":
      return event.text.length + (event.signature?.length ?? 0)
    case "encrypted":
      return event.encrypted.length
    case "signature":
      return event.signature.value.length
    case "call":
      // The name comes with the first piece of a call, whose text is empty in most streams.
      return event.text === "" ? event.call.name.length : event.text.length
    case "opaque":
      return countOpaque(event)
    case "citation":
    case "media":
      return 0
  }
}

export const countPartCharacters = (part: Part): number => {
  switch (part.type) {
    case "text":
      return part.text.length
    case "refusal":
      return part.refusal.length
    case "reasoning":
      return (
        (part.text?.length ?? 0) + (part.signature?.length ?? 0) + (part.encrypted?.length ?? 0)
      )
    case "call":
      return part.name.length + part.arguments.length
    case "opaque":
      return countOpaque(part)
    case "audio":
    case "file":
    case "image":
    case "result":
    case "video":
      return 0
  }
}

/**
 * Only fields of chat servers count. What other providers keep for themselves are results of tools, which the model did not
 * write.
 */
const countOpaque = ({
  dialect,
  raw,
  text
}: Pick<OpaquePart, "dialect" | "raw" | "text">): number =>
  text?.length ?? (dialect === "chat" ? countTexts(raw) : 0)

/** Counts all texts in a value except those in lists, such as the numbers of tokens. */
const countTexts = (value: unknown): number => {
  if (typeof value === "string") return value.length
  if (typeof value !== "object" || value === null || Array.isArray(value)) return 0
  let characters = 0
  for (const text of Object.values(value)) characters += countTexts(text)
  return characters
}
