/** Transcriptions by Gemini's models for them: https://ai.google.dev/gemini-api/docs/generate-content/transcribe. */
import { toGeminiFailure } from "@signalbox/core/dialects"
import {
  estimateTranscriptionWorstCase,
  postJson,
  type TranscriptionCall,
  type TranscriptionCapability,
  UpstreamFailure,
  type UpstreamRequest
} from "@signalbox/core/upstream"
import * as Effect from "effect/Effect"
import * as Base64 from "effect/encoding/Base64"
import { parseTranscript } from "./parseTranscript.ts"

export interface GoogleTranscriptionEndpoint extends Pick<
  UpstreamRequest,
  "apiKey" | "headers" | "keyHeader" | "signer"
> {
  /** The URL under which the models are. */
  readonly modelsUrl: string
}

/**
 * Models named like `gemini-3.5-transcribe`. Any other model of Gemini ignores the settings of a transcription and may answer what
 * it hears, so that nothing is sent to it. What the API cannot say is an `unsupported_parameter` too.
 */
export const makeTranscriptionCapability = (
  endpoint: GoogleTranscriptionEndpoint
): TranscriptionCapability => {
  const { apiKey, headers, keyHeader, modelsUrl, signer } = endpoint
  return {
    transcribe: (call) => {
      const problem = findProblem(call)
      if (problem !== undefined) {
        return Effect.fail(new UpstreamFailure({ kind: "unsupported_parameter", detail: problem }))
      }
      return postJson(
        {
          url: `${modelsUrl}/${encodeURIComponent(call.model)}:generateContent`,
          apiKey: call.credential ?? apiKey,
          keyHeader,
          headers,
          signer: call.credential === undefined ? signer : undefined,
          toFailure: toGeminiFailure,
          body: toBody(call)
        },
        parseTranscript
      )
    },
    checksParameters: true,
    estimateWorstCase: estimateTranscriptionWorstCase
  }
}

const findProblem = ({ model, parameters }: TranscriptionCall): string | undefined => {
  if (!model.includes("transcribe")) return `${model} is no model for transcriptions`
  return "prompt" in parameters
    ? "prompt: Google takes words to expect as audioTranscriptionConfig.customVocabulary"
    : undefined
}

/** Only words have times, of which those of segments are made. They cost accuracy, so that they are asked for only where wanted. */
const toBody = ({ audio, isVerbose, language, parameters, temperature }: TranscriptionCall) => {
  const { audioTranscriptionConfig: given, ...others } = parameters
  const config = {
    ...(typeof given === "object" && given !== null ? given : undefined),
    ...(language === undefined ? undefined : { languageCodes: [language] }),
    ...(isVerbose ? { wordTimestamp: true } : undefined)
  }
  const mimeType = mediaTypes.get(audio.format) ?? audio.mediaType
  const inlineData = { mimeType, data: Base64.encode(audio.bytes) }
  return {
    contents: [{ role: "user", parts: [{ inlineData }] }],
    generationConfig: {
      ...others,
      ...(temperature === undefined ? undefined : { temperature }),
      audioTranscriptionConfig: config
    }
  }
}

/** What the API calls them otherwise than most. */
const mediaTypes: ReadonlyMap<string, string> = new Map([
  ["m4a", "audio/m4a"],
  ["mp4", "audio/m4a"],
  ["webm", "audio/webm"]
])
