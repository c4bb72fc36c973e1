/** Finds the fields of a message of OpenAI's chat dialect, or of a delta, that the neutral form has no place for. */
import type { AudioPart, Part, TextPart } from "../../conversation/Part.ts"
import { isObject } from "../../values/json/guards.ts"
import { setOwn } from "../../values/ownFields.ts"
import { isReasoningField } from "./reasoningText.ts"

type Json = Readonly<Record<string, unknown>>

/** Fields that are read elsewhere. */
const knownFields: ReadonlySet<string> = new Set([
  "annotations",
  "content",
  "extra_content",
  "function_call",
  "images",
  "media",
  "name",
  "reasoning_details",
  "refusal",
  "role",
  "thinking_blocks",
  "tool_calls"
])

/** Finds the fields that no other part of the answer holds; undefined: there are none with a value. */
export const findOtherFields = (said: Json): Json | undefined => {
  let others: Record<string, unknown> | undefined
  for (const name of Object.keys(said)) {
    const value = said[name]
    if (knownFields.has(name) || isReasoningField(name) || isNothing(value)) continue
    setOwn((others ??= {}), name, value)
  }
  return others
}

const isNothing = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === "" ||
  (Array.isArray(value) && value.length === 0)

/** The spoken words of a message or a delta. */
export const findTranscript = (audio: unknown): string | undefined => {
  const transcript = isObject(audio) ? audio["transcript"] : undefined
  return typeof transcript === "string" && transcript !== "" ? transcript : undefined
}

/** The words of a whole answer that has no others, and its sound. */
export const parseAudioAnswer = (
  audio: unknown,
  said: ReadonlyArray<Part>
): ReadonlyArray<AudioPart | TextPart> => {
  if (!isObject(audio)) return []
  const { data, format = "wav" } = audio
  const text = findTranscript(audio)
  const hasText = said.some((part) => part.type === "text" && part.text !== "")
  return [
    ...(text === undefined || hasText ? [] : [{ type: "text", text } as const]),
    ...(typeof data === "string" && typeof format === "string"
      ? [{ type: "audio", source: { type: "base64", mediaType: `audio/${format}`, data } } as const]
      : [])
  ]
}
