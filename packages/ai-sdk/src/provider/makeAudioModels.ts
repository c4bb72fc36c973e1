/** Speech and transcription models of the AI SDK whose calls an instance routes. */
import type {
  SpeechModelV4,
  SpeechModelV4Result,
  TranscriptionModelV4,
  TranscriptionModelV4Result
} from "@ai-sdk/provider"
import type {
  RoutedTranscript,
  SpeechRequest,
  TranscriptionRequest
} from "@signalbox/core/contract"
import { toJson, writeCost } from "./callMetadata.ts"
import { optionsKey } from "./readOptions.ts"
import { beginCall, type ModelContext, providerName } from "./SignalboxInstance.ts"
import { audioOptionNames } from "./SignalboxOptions.ts"
import { toCallError } from "./toCallError.ts"

/** The default format is `mp3`, as with the AI SDK's own providers. */
export const makeSpeechModel = (modelId: string, context: ModelContext): SpeechModelV4 => ({
  specificationVersion: "v4",
  provider: providerName,
  modelId,
  doGenerate: async ({
    instructions,
    language,
    outputFormat = "mp3",
    speed,
    text,
    voice,
    ...call
  }): Promise<SpeechModelV4Result> => {
    const { callOptions, options, route, warnings } = beginCall(context, call, audioOptionNames)
    if (language !== undefined) {
      warnings.unsupported("language", "A model finds the language in the text.")
    }
    const request = {
      ...options,
      model: modelId,
      input: text,
      response_format: outputFormat,
      ...(voice === undefined ? undefined : { voice }),
      ...(instructions === undefined ? undefined : { instructions }),
      ...(speed === undefined ? undefined : { speed })
      // Signalbox checks the options, as it does with JSON.
    } as SpeechRequest
    const pieces: Array<Uint8Array> = []
    try {
      const speech = context.instance.speak(request, callOptions)
      for await (const piece of speech) pieces.push(piece)
    } catch (error) {
      throw toCallError(error, "speech", request, route)
    }
    return {
      audio: joinPieces(pieces),
      providerMetadata: {
        [optionsKey]: toJson({ generationId: route.generationId, ...route.toRouting() })
      },
      response: { timestamp: new Date(), modelId },
      warnings: warnings.list(route.metadata, { model: modelId, provider: "" })
    }
  }
})

const joinPieces = (pieces: ReadonlyArray<Uint8Array>): Uint8Array => {
  const joined = new Uint8Array(pieces.reduce((size, { length }) => size + length, 0))
  let at = 0
  for (const piece of pieces) {
    joined.set(piece, at)
    at += piece.length
  }
  return joined
}

export const makeTranscriptionModel = (
  modelId: string,
  context: ModelContext
): TranscriptionModelV4 => ({
  specificationVersion: "v4",
  provider: providerName,
  modelId,
  doGenerate: async ({ audio, mediaType, ...call }): Promise<TranscriptionModelV4Result> => {
    const { callOptions, options, route, warnings } = beginCall(context, call, audioOptionNames)
    const request = {
      ...options,
      model: modelId,
      input_audio: { data: audio, format: toFormat(mediaType) }
      // Signalbox checks the options, as it does with JSON.
    } as TranscriptionRequest
    let transcript: RoutedTranscript
    try {
      transcript = await context.instance.transcribe(request, callOptions)
    } catch (error) {
      const { input_audio: _, ...shown } = request
      throw toCallError(error, "transcription", shown, route)
    }
    const { duration, id, language, model, provider, segments = [], text, usage } = transcript
    return {
      text,
      segments: segments.map(({ end, start, text }) => ({
        text,
        startSecond: start,
        endSecond: end
      })),
      language,
      durationInSeconds: duration ?? usage.seconds,
      providerMetadata: {
        [optionsKey]: toJson({
          generationId: id,
          model,
          provider,
          ...writeCost(usage),
          ...route.toRouting()
        })
      },
      response: { timestamp: new Date(), modelId: model, body: transcript },
      warnings: warnings.list(route.metadata, { model, provider })
    }
  }
})

/** Such as `mp3` for `audio/mpeg`. */
const toFormat = (mediaType: string): string => {
  const [, subtype = "wav"] = /^[a-z]+\/(?:x-)?([a-z\d]+)/i.exec(mediaType) ?? []
  return subtype === "mpeg" ? "mp3" : subtype
}
