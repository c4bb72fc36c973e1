/** Speech and transcriptions by the models of the AI SDK. */
import type { SpeechModelV4, TranscriptionModelV4 } from "@ai-sdk/provider"
import {
  estimateSpeechWorstCase,
  estimateTranscriptionWorstCase,
  Settings,
  type SpeechCall,
  type SpeechCapability,
  type SpeechEvent,
  type TranscriptionCall,
  type TranscriptionCapability,
  type TranscriptionReply,
  UpstreamFailure
} from "@signalbox/core/upstream"
import * as Effect from "effect/Effect"
import * as Base64 from "effect/encoding/Base64"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { checkModel } from "./AiSdkModels.ts"
import { isObject } from "./isObject.ts"
import { runCode, runPromise, withTimeout } from "./runCode.ts"
import { WarningLog } from "./WarningLog.ts"

/** A function from the `model` of an endpoint to a model. */
export type SpeechSource = (modelId: string) => SpeechModelV4
export type TranscriptionSource = (modelId: string) => TranscriptionModelV4

/** The AI SDK has no parameters besides, and answers when it has the whole audio. */
export const makeAiSdkSpeech = (source: SpeechSource, slug: string): SpeechCapability => {
  const log = new WarningLog(slug)

  const speak = Effect.fnUntraced(function* (call: SpeechCall) {
    const unsupported =
      call.reference === undefined ? Object.keys(call.parameters)[0] : "input_references"
    if (unsupported !== undefined) return yield* refuse(unsupported)
    const model = yield* runCode(() => checkModel(source(call.model)))
    const { format, input, instructions, speed, voice } = call
    const result = yield* callModel((abortSignal) =>
      model.doGenerate({
        text: input,
        outputFormat: format,
        abortSignal,
        ...(voice === undefined ? undefined : { voice }),
        ...(instructions === undefined ? undefined : { instructions }),
        ...(speed === undefined ? undefined : { speed })
      })
    )
    const bytes = yield* runCode(() => toBytes(result.audio))
    yield* log.tellWarnings(call, result.warnings)
    if (bytes === undefined || bytes.length === 0) return yield* noAudio
    return Stream.make<[SpeechEvent, SpeechEvent]>({ type: "audio", bytes }, { type: "end" })
  })

  return {
    speak: (call) => Stream.unwrap(speak(call)),
    ignoresCredentials: true,
    estimateWorstCase: estimateSpeechWorstCase
  }
}

/** Bytes, or base64. */
const toBytes = (audio: unknown): Uint8Array | undefined =>
  audio instanceof Uint8Array
    ? audio
    : typeof audio === "string"
      ? Result.getOrUndefined(Base64.decode(audio))
      : undefined

const noAudio = new UpstreamFailure({
  kind: "invalid_answer",
  detail: "the model returned no audio"
})

/** The AI SDK knows neither a language, a temperature nor the times of words. */
export const makeAiSdkTranscription = (
  source: TranscriptionSource,
  slug: string
): TranscriptionCapability => {
  const log = new WarningLog(slug)

  const transcribe = Effect.fnUntraced(function* (call: TranscriptionCall) {
    const unsupported = findUnsupported(call)
    if (unsupported !== undefined) return yield* refuse(unsupported)
    const model = yield* runCode(() => checkModel(source(call.model)))
    const result = yield* callModel((abortSignal) =>
      model.doGenerate({
        audio: call.audio.bytes,
        mediaType: call.audio.mediaType,
        abortSignal
      })
    )
    const reply = yield* runCode(() => toReply(result))
    yield* log.tellWarnings(call, result.warnings)
    return reply
  })

  return {
    transcribe,
    ignoresCredentials: true,
    estimateWorstCase: estimateTranscriptionWorstCase
  }
}

const findUnsupported = (call: TranscriptionCall): string | undefined => {
  if (call.language !== undefined) return "language"
  if (call.temperature !== undefined) return "temperature"
  if (call.granularities.includes("word")) return "timestamp_granularities: word"
  return Object.keys(call.parameters)[0]
}

/** The core checks the shape. */
const toReply = (
  result: Awaited<ReturnType<TranscriptionModelV4["doGenerate"]>>
): TranscriptionReply => {
  const { durationInSeconds: seconds, language, response, segments, text } = result
  return {
    text,
    ...(language === undefined ? undefined : { language }),
    ...(typeof seconds === "number" ? { seconds } : undefined),
    ...(isObject(response) && typeof response["modelId"] === "string"
      ? { model: response["modelId"] }
      : undefined),
    segments: segments.map(({ endSecond, startSecond, text }, id) => ({
      id,
      start: startSecond,
      end: endSecond,
      text
    }))
  }
}

const refuse = (detail: string): UpstreamFailure =>
  new UpstreamFailure({ kind: "unsupported_parameter", detail })

/** The AI SDK does not say when the headers arrive. */
const callModel = <A>(
  run: (signal: AbortSignal) => PromiseLike<A>
): Effect.Effect<A, UpstreamFailure> =>
  Effect.flatMap(Settings, ({ bodyTimeoutMillis, headersTimeoutMillis }) =>
    withTimeout(runPromise(run, "headers"), headersTimeoutMillis + bodyTimeoutMillis)
  )
