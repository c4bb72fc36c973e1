/** The work of transcriptions. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import type { Caller } from "../../tenants/auth/Caller.ts"
import { truncateText } from "../../engine/observability/generations/truncateGeneration.ts"
import type {
  TranscriptionCapability,
  TranscriptionReply
} from "../../engine/upstreams/TranscriptionCapability.ts"
import type { Upstream } from "../../engine/upstreams/Upstream.ts"
import { Settings } from "../../instance/Settings.ts"
import { type RouteAttempt, sumAttemptUsage, sumCost } from "../../routing/attempt/RouteAttempt.ts"
import * as Preferences from "../../routing/Preferences.ts"
import { makeOneModelRoute } from "../../routing/record/makeOneModelRoute.ts"
import { addProviderOptions } from "../../routing/record/oneModelTexts.ts"
import { RouteRecorder } from "../../routing/record/RouteRecorder.ts"
import type { RouteQuery } from "../../routing/RouteQuery.ts"
import * as GenerationId from "../../values/ids/GenerationId.ts"
import { omitUndefined } from "../../values/ownFields.ts"
import * as NanoUsd from "../../values/usage/NanoUsd.ts"
import { makeTranscriptionWork } from "./makeTranscriptionWork.ts"
import type { RoutedTranscript, Transcript } from "./Transcript.ts"
import type { ParsedTranscription } from "./parseTranscription.ts"
import { Transcriptions } from "./Transcriptions.ts"

export const layerTranscriptions = Layer.effect(
  Transcriptions,
  Effect.flatMap(Settings, (settings) =>
    makeOneModelRoute({
      span: "transcription",
      drawId: GenerationId.drawTranscriptionId,
      toQuery: toTranscriptionQuery,
      makeWork: (parsed: ParsedTranscription) => makeTranscriptionWork(parsed, settings),
      // The prompt is a parameter.
      addTexts: ({ providerOptions }, slots) => addProviderOptions(providerOptions, slots),
      toAnswerFacts: ({ id, model }: TranscriptionReply) =>
        id === undefined ? { model } : { model, upstreamId: truncateText(id) },
      toContent: (parsed, exit) => ({
        bytes: parsed.bytes,
        input: toInput(parsed),
        ...(Exit.isSuccess(exit) ? { output: { text: exit.value.value.text } } : undefined)
      }),
      toAnswer: (id, parsed, { candidate, value }, attempts): RoutedTranscript => ({
        id,
        model: candidate.endpoint.model,
        provider: candidate.providerName,
        ...toTranscript(parsed, value),
        usage: toUsage(attempts)
      })
    })
  )
).pipe(Layer.provide(RouteRecorder.layer))

/** Without the recording, which is large and somebody's voice. */
const toInput = ({ audio, parameters, request }: ParsedTranscription) => {
  const { language, response_format, temperature, timestamp_granularities } = request
  return omitUndefined({
    ...parameters,
    input_audio: { format: audio.format, bytes: audio.bytes.length },
    language,
    response_format,
    temperature,
    timestamp_granularities
  })
}

const toTranscript = (
  { isVerbose, request }: ParsedTranscription,
  reply: TranscriptionReply
): Omit<Transcript, "usage"> => {
  const { confidence, language, logprobs, seconds, segments, text, words } = reply
  if (!isVerbose) return omitUndefined({ text, confidence, logprobs })
  const wanted = request.timestamp_granularities ?? []
  const hasSegments = wanted.length === 0 || wanted.includes("segment")
  return omitUndefined({
    text,
    task: "transcribe",
    language,
    duration: seconds,
    segments: hasSegments ? segments?.map(toSegment) : undefined,
    words: wanted.includes("word")
      ? words?.map(({ confidence, end, speaker, start, word }) =>
          omitUndefined({ word, start, end, confidence, speaker })
        )
      : undefined,
    confidence,
    logprobs
  })
}

const toSegment = (segment: NonNullable<TranscriptionReply["segments"]>[number]) => {
  const { avgLogprob, compressionRatio, noSpeechProb } = segment
  const { end, id, seek, speaker, start, temperature, text, tokens } = segment
  return omitUndefined({
    id,
    start,
    end,
    text,
    seek,
    speaker,
    tokens,
    temperature,
    avg_logprob: avgLogprob,
    compression_ratio: compressionRatio,
    no_speech_prob: noSpeechProb
  })
}

/** The sum over all attempts. */
const toUsage = (attempts: ReadonlyArray<RouteAttempt>): Transcript["usage"] => {
  const { audioMillis, inputTokens = 0, outputTokens = 0 } = sumAttemptUsage(attempts) ?? {}
  const cost = sumCost(attempts)
  const total = inputTokens + outputTokens
  return omitUndefined({
    seconds: audioMillis === undefined ? undefined : audioMillis / 1_000,
    ...(total === 0
      ? undefined
      : { input_tokens: inputTokens, output_tokens: outputTokens, total_tokens: total }),
    cost: cost === undefined ? undefined : NanoUsd.toUsdNumber(cost)
  })
}

const toTranscriptionQuery = (
  caller: Caller,
  { isVerbose, length, parameters, request }: ParsedTranscription
): RouteQuery<TranscriptionCapability> => ({
  caller,
  models: [request.model],
  operation: "transcriptions",
  capability: getTranscriptionCapability,
  ...(request.user === undefined ? undefined : { externalUser: request.user }),
  preferences: request.provider ?? Preferences.none,
  requirements: {
    parameters: [
      ...Object.keys(parameters),
      ...(["language", "temperature"] as const).filter((name) => request[name] !== undefined),
      ...(isVerbose ? verboseNames : [])
    ],
    ...(isVerbose ? { mandatoryParameters: verboseNames } : undefined),
    inputTokens: 0,
    outputTokens: 0,
    audioMillis: length.millis
  }
})

/** Another answer would lack what was asked for. */
const verboseNames = ["response_format"]

const getTranscriptionCapability = ({
  transcription
}: Upstream): TranscriptionCapability | undefined => transcription
