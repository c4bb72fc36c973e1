/** A spoken answer (https://platform.openai.com/docs/guides/audio): its words are in `audio` instead of `content`. */
import type { AudioPart, Part, TextPart } from "../../conversation/Part.ts"
import { isObject } from "../../values/json/guards.ts"

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
