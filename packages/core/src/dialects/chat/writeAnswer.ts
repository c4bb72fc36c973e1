/** Writes an answer as the message of OpenAI's chat dialect. */
import type { Answer } from "../../conversation/Answer.ts"
import type { OpaquePart, Part } from "../../conversation/Part.ts"
import { isObject } from "../../values/json/guards.ts"
import { writeAnnotation } from "./annotations.ts"
import { writeAssistantMessage } from "./assistantMessage.ts"
import { findProviderPart } from "./parseContent.ts"
import { writePart } from "./writeContent.ts"

type Json = Readonly<Record<string, unknown>>

/** The fields of a message beside its content, its calls and its reasoning. */
interface Fields {
  images?: Array<Json>
  media?: Array<Json>
  provider_parts?: Array<Json>
  annotations?: Array<Json>
}

/** The message of an answer, which has one text and a list for each kind of other parts. */
export const writeChatMessage = ({ parts }: Pick<Answer, "parts">): Json => {
  const fields: Fields = {}
  let others: Array<readonly [string, unknown]> | undefined
  const said: Array<Part> = []
  for (const part of parts) {
    switch (part.type) {
      case "image":
        ;(fields.images ??= []).push(...writePart(part))
        break
      case "audio":
      case "file":
      case "video":
        ;(fields.media ??= []).push(...writePart(part))
        break
      case "opaque":
        if (part.text !== undefined) said.push({ type: "text", text: part.text })
        else if (part.dialect !== "chat") addProviderPart(part, fields)
        else if (isObject(part.raw)) (others ??= []).push(...Object.entries(part.raw))
        break
      case "text":
        said.push(part)
        for (const citation of part.citations ?? none) {
          ;(fields.annotations ??= []).push(writeAnnotation(citation))
        }
        break
      case "call":
      case "reasoning":
      case "refusal":
      case "result":
        said.push(part)
    }
  }
  return {
    ...(others === undefined ? undefined : Object.fromEntries(others)),
    role: "assistant",
    ...writeAssistantMessage(said),
    ...fields
  }
}

const none: ReadonlyArray<never> = []

/** Adds a part that only its provider understands. */
export const addProviderPart = (
  part: Pick<OpaquePart, "dialect" | "raw">,
  fields: Fields
): void => {
  const found = findProviderPart(part)
  if (found !== undefined) (fields.provider_parts ??= []).push(found)
}
