/** Speech by Gemini's models for it: https://ai.google.dev/gemini-api/docs/speech-generation. */
import { toGeminiFailure } from "@signalbox/core/dialects"
import {
  estimateSpeechWorstCase,
  type JsonRequest,
  postJson,
  Settings,
  type SpeechCall,
  type SpeechCapability,
  streamEvents,
  UpstreamFailure,
  type UpstreamRequest
} from "@signalbox/core/upstream"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { makeSpeechReader, parseSpeech } from "./parseSpeech.ts"

export interface GoogleSpeechEndpoint extends Pick<
  UpstreamRequest,
  "apiKey" | "headers" | "keyHeader" | "signer"
> {
  /** The URL under which the models are. */
  readonly modelsUrl: string
}

/**
 * Samples are streamed by models since 3.8. Earlier ones are asked for the whole, because their streams end after about a
 * minute of audio (https://github.com/googleapis/python-genai/issues/922), and so is any model for a WAV file, whose header says
 * how long it is. What the API cannot say is an `unsupported_parameter`, and nothing is sent.
 */
export const makeSpeechCapability = (endpoint: GoogleSpeechEndpoint): SpeechCapability => {
  const { apiKey, headers, keyHeader, modelsUrl, signer } = endpoint
  const toRequest = (call: SpeechCall, method: string): JsonRequest => ({
    url: `${modelsUrl}/${encodeURIComponent(call.model)}:${method}`,
    apiKey: call.credential ?? apiKey,
    keyHeader,
    headers,
    signer: call.credential === undefined ? signer : undefined,
    toFailure: toGeminiFailure,
    body: toBody(call)
  })
  return {
    speak: (call) => {
      const unsupported = findUnsupported(call)
      if (unsupported !== undefined) return Stream.fail(refuse(unsupported))
      return call.format === "pcm" && isRecent(call.model)
        ? streamEvents({
            ...toRequest(call, "streamGenerateContent?alt=sse"),
            reader: makeSpeechReader
          })
        : Stream.fromIterableEffect(
            Effect.flatMap(Settings, (settings) =>
              Effect.provideService(
                postJson(toRequest(call, "generateContent"), (json) =>
                  parseSpeech(json, call.format)
                ),
                Settings,
                {
                  ...settings,
                  // The headers come when the audio is there. It may be as large as one that is streamed.
                  headersTimeoutMillis: settings.headersTimeoutMillis + settings.bodyTimeoutMillis,
                  maxUpstreamBodyBytes: Math.max(
                    settings.maxUpstreamBodyBytes,
                    settings.maxStreamBytes
                  )
                }
              )
            )
          )
    },
    // Other formats are in the API's schema, and refused: https://ai.google.dev/api/interactions-api
    formats: ["pcm", "wav"],
    checksParameters: true,
    estimateWorstCase: estimateSpeechWorstCase
  }
}

/** https://docs.cloud.google.com/gemini-enterprise-agent-platform/models/text-to-speech/migration-guide */
const isRecent = (model: string): boolean => {
  const [, major, minor = "0"] = /^gemini-(\d+)(?:\.(\d+))?-/.exec(model) ?? []
  return major === undefined || Number(major) > 3 || (major === "3" && Number(minor) >= 8)
}

const findUnsupported = ({ isOwnVoice, reference, speed }: SpeechCall): string | undefined => {
  if (reference !== undefined) return "input_references"
  if (isOwnVoice === true) return "a voice by its id; name one"
  return speed === undefined || speed === 1 ? undefined : "speed; say it in instructions"
}

/** Since 3.8 a model reads its text word for word, and gets instructions for its voice beside it. */
const toBody = (call: SpeechCall) => {
  const { input, instructions, model, parameters } = call
  const part =
    instructions === undefined
      ? { text: input }
      : isRecent(model)
        ? { text: input, speechMetadata: { style: instructions } }
        : { text: `${instructions}\n\n${input}` }
  const { speechConfig, ...others } = parameters
  return {
    contents: [{ role: "user", parts: [part] }],
    generationConfig: {
      ...others,
      responseModalities: ["AUDIO"],
      ...toSpeechConfig(call, speechConfig)
    }
  }
}

/** The options of a caller may have a `speechConfig` of their own, such as with a language. */
const toSpeechConfig = ({ model, voice }: SpeechCall, given: unknown) => {
  if (voice === undefined) return given === undefined ? undefined : { speechConfig: given }
  const others = typeof given === "object" && given !== null ? given : {}
  const voiceConfig = isRecent(model) ? { voice } : { prebuiltVoiceConfig: { voiceName: voice } }
  return { speechConfig: { ...others, voiceConfig } }
}

const refuse = (parameter: string): UpstreamFailure =>
  new UpstreamFailure({
    kind: "unsupported_parameter",
    detail: `Google's API has no counterpart of ${parameter}`
  })
