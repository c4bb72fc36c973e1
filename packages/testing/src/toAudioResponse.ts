/** Answers requests for speech and transcriptions, in the form of OpenAI and OpenRouter. */
import type { ScriptedResponse } from "./ScriptedResponse.ts"
import * as answer from "./ScriptedResponse.ts"
import type { AudioContent, MessageContent } from "./Content.ts"
import { findFormField } from "./findFormField.ts"
import { getProperty } from "./getProperty.ts"
import type { RecordedRequest } from "./RecordedRequest.ts"
import { toScriptErrorResponse } from "./toErrorResponse.ts"

interface ScriptedFormat {
  readonly contentType: string
  /** How its files begin. */
  readonly start: ReadonlyArray<number>
}

const formats: ReadonlyMap<unknown, ScriptedFormat> = new Map([
  ["mp3", { contentType: "audio/mpeg", start: [0xff, 0xfb, 0x90, 0xc4] }],
  ["pcm", { contentType: "audio/pcm", start: [0, 1, 0, 2] }],
  ["wav", { contentType: "audio/wav", start: [0x52, 0x49, 0x46, 0x46] }],
  ["opus", { contentType: "audio/ogg", start: [0x4f, 0x67, 0x67, 0x53] }],
  ["aac", { contentType: "audio/aac", start: [0xff, 0xf1, 0x50, 0x80] }],
  ["flac", { contentType: "audio/flac", start: [0x66, 0x4c, 0x61, 0x43] }]
])

/** The bytes of audio in a format: its start, then a byte for each one of `text`. */
export const audioOf = (format: string, text: string): Uint8Array =>
  Buffer.concat([Buffer.from(formats.get(format)?.start ?? []), Buffer.from(text)])

/** Without content, the audio has a byte for each one of the text. */
export const toSpeechResponse = (
  { body, model }: RecordedRequest,
  content?: AudioContent
): ScriptedResponse => {
  const input = getProperty(body, "input")
  // OpenAI's default.
  const format = getProperty(body, "response_format") ?? "mp3"
  const known = formats.get(format)
  if (
    model === undefined ||
    typeof input !== "string" ||
    typeof format !== "string" ||
    known === undefined
  ) {
    return toScriptErrorResponse("speech", 400, "model, input and a known format are required")
  }
  return {
    status: 200,
    headers: { "content-type": content?.contentType ?? known.contentType, "x-request-id": "req-1" },
    body: content?.pieces ?? audioOf(format, input)
  }
}

/** The transcript of every recording is `Hello there.`, and each is two seconds long. */
export const toTranscriptResponse = (
  request: RecordedRequest,
  { type }: MessageContent
): ScriptedResponse => {
  const { body, model, raw } = request
  const format = getProperty(body, "response_format") ?? findFormField(raw, "response_format")
  if (model === undefined || type !== "decision") {
    return toScriptErrorResponse("transcriptions", 400, "model is required")
  }
  const text = "Hello there."
  return answer.makeJsonResponse({
    text,
    ...(format === "verbose_json"
      ? {
          task: "transcribe",
          language: "english",
          duration: 2,
          segments: [{ id: 0, seek: 0, start: 0, end: 2, text, tokens: [1, 2], temperature: 0 }],
          ...(raw.includes("word") ? { words: [{ word: "Hello", start: 0, end: 0.5 }] } : undefined)
        }
      : undefined),
    usage: { type: "duration", seconds: 2 }
  })
}
