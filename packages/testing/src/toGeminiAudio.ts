/** Answers requests for speech and transcriptions in the form of Google's API. */
import type { AudioContent } from "./Content.ts"
import { encodeEvent } from "./encodeEvent.ts"
import { getProperty } from "./getProperty.ts"
import type { RecordedRequest } from "./RecordedRequest.ts"
import { makeJsonResponse, type ScriptedResponse } from "./ScriptedResponse.ts"
import { audioOf } from "./toAudioResponse.ts"
import { toScriptErrorResponse } from "./toErrorResponse.ts"

type Json = Readonly<Record<string, unknown>>

const findConfig = ({ body }: RecordedRequest, name: string): unknown =>
  getProperty(getProperty(body, "generationConfig"), name)

export const asksForSpeech = (request: RecordedRequest): boolean => {
  const modalities = findConfig(request, "responseModalities")
  return Array.isArray(modalities) && modalities.length === 1 && modalities[0] === "AUDIO"
}

export const asksForTranscript = (request: RecordedRequest): boolean =>
  findConfig(request, "audioTranscriptionConfig") !== undefined

/** Without content, the samples have a byte for each one of the text. */
export const toGeminiSpeech = (
  request: RecordedRequest,
  content?: AudioContent
): ScriptedResponse => {
  const [turn] = toList(getProperty(request.body, "contents"))
  const text = getProperty(toList(getProperty(turn, "parts"))[0], "text")
  if (typeof text !== "string") {
    return toScriptErrorResponse("gemini", 400, "contents is not specified")
  }
  // Earlier models are told how to speak before the text.
  const pieces = content?.pieces ?? [audioOf("pcm", text.split("\n\n").at(-1) ?? "")]
  const toParts = (bytes: Uint8Array) => ({
    inlineData: {
      mimeType: content?.contentType ?? "audio/L16;codec=pcm;rate=24000",
      data: Buffer.from(bytes).toString("base64")
    }
  })
  const usageMetadata = { promptTokenCount: 9, candidatesTokenCount: 48, totalTokenCount: 57 }
  if (!request.path.includes(":streamGenerateContent")) {
    const bytes = pieces.filter((piece) => piece instanceof Uint8Array)
    const whole = bytes.length === 0 ? [] : [toParts(Buffer.concat(bytes))]
    const json = toAnswer(request, whole, { finishReason: "STOP" }, { usageMetadata })
    const waits = pieces.filter((piece) => !(piece instanceof Uint8Array))
    return {
      status: 200,
      headers: { "content-type": "application/json" },
      body: [...waits, Buffer.from(JSON.stringify(json))]
    }
  }
  return {
    status: 200,
    headers: { "content-type": "text/event-stream" },
    body: [
      ...pieces.map((piece) =>
        piece instanceof Uint8Array ? toEvent(toAnswer(request, [toParts(piece)])) : piece
      ),
      toEvent(toAnswer(request, [], { finishReason: "STOP" }, { usageMetadata }))
    ]
  }
}

const toEvent = (json: Json): Uint8Array => encodeEvent({ data: JSON.stringify(json) })

/** `Hello there.`, as of every recording. */
export const toGeminiTranscript = (request: RecordedRequest): ScriptedResponse => {
  const hasTimes =
    getProperty(findConfig(request, "audioTranscriptionConfig"), "wordTimestamp") === true
  return makeJsonResponse(
    toAnswer(
      request,
      [
        {
          text: "Hello there.",
          ...(hasTimes
            ? {
                audioTranscription: {
                  speakerLabel: "spk_1",
                  words: [
                    { word: "Hello", startOffset: "0s", endOffset: "0.500s" },
                    { word: "there.", startOffset: "0.750s", endOffset: "2s" }
                  ]
                }
              }
            : undefined)
        }
      ],
      { finishReason: "STOP" },
      { usageMetadata: { promptTokenCount: 64, candidatesTokenCount: 3, totalTokenCount: 67 } }
    )
  )
}

const toAnswer = (
  { at, model }: RecordedRequest,
  parts: ReadonlyArray<Json>,
  end: Json = {},
  rest: Json = {}
): Json => ({
  responseId: `response-${at}`,
  modelVersion: model,
  candidates: [{ index: 0, content: { role: "model", parts }, ...end }],
  ...rest
})

const toList = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])
