/** Transcription at a server with OpenAI's API: https://platform.openai.com/docs/api-reference/audio/createTranscription. */
import * as Effect from "effect/Effect"
import * as Base64 from "effect/encoding/Base64"
import { countUtf8Bytes } from "../../../values/json/JsonCost.ts"
import * as Step from "../../../values/Step.ts"
import type { TokenUsage } from "../../../values/usage/TokenUsage.ts"
import { UpstreamFailure } from "../failures/UpstreamFailure.ts"
import type { CostParser } from "../openaiChat/parseChatUsage.ts"
import type { TranscriptionCall, TranscriptionCapability } from "../TranscriptionCapability.ts"
import { type FormRequest, postForm, postJson } from "../transport/jsonRequests.ts"
import type { UpstreamRequest } from "../transport/UpstreamRequest.ts"
import { parseTranscription } from "./parseTranscription.ts"

/** A server with OpenAI's transcription API. */
export interface TranscriptionEndpoint extends Pick<
  UpstreamRequest,
  "url" | "apiKey" | "keyHeader" | "headers" | "signer"
> {
  /** Whether it takes the recording in JSON, as OpenRouter does, not in a form. Default: false. */
  readonly takesJson?: boolean | undefined
  /** Whether a model answers with times, by its name there. Default: it may. */
  readonly isVerbose?: ((model: string) => boolean) | undefined
  /** Reads the cost of a call from the `usage` of its answer; absent: the upstream reports no trusted cost. */
  readonly parseCost?: CostParser | undefined
}

/** The credential of a call takes precedence over `apiKey` and `signer`. */
export const makeTranscription = (endpoint: TranscriptionEndpoint): TranscriptionCapability => {
  const { apiKey, headers, isVerbose, keyHeader, parseCost, signer, takesJson, url } = endpoint
  return {
    transcribe: (call) => {
      if (call.isVerbose && isVerbose?.(call.model) === false) return Effect.fail(withoutTimes)
      const request = {
        url,
        apiKey: call.credential ?? apiKey,
        keyHeader,
        headers,
        signer: call.credential === undefined ? signer : undefined
      }
      const answer =
        takesJson === true
          ? postJson({ ...request, body: toJsonBody(call) })
          : postForm({ ...request, form: toForm(call) })
      return Step.flatMap(answer, (json) => Effect.fromResult(parseTranscription(json, parseCost)))
    },
    estimateWorstCase: estimateTranscriptionWorstCase
  }
}

const withoutTimes = new UpstreamFailure({
  kind: "unsupported_parameter",
  detail: "response_format: the model does not answer with verbose_json"
})

/** Parameters that are no texts are JSON. */
const toForm = (call: TranscriptionCall): FormRequest["form"] => {
  const { audio, granularities, language, parameters, temperature } = call
  // Events would not be a transcript.
  const { stream: _, ...options } = parameters
  return {
    ...Object.fromEntries(Object.entries(options).map(([name, value]) => toField(name, value))),
    model: call.model,
    response_format: call.isVerbose ? "verbose_json" : "json",
    ...(language === undefined ? undefined : { language }),
    ...(temperature === undefined ? undefined : { temperature: String(temperature) }),
    ...(granularities.length === 0
      ? undefined
      : { "timestamp_granularities[]": [...granularities] }),
    // The server tells the format by the ending.
    file: { name: `audio.${audio.format}`, contentType: audio.mediaType, bytes: audio.bytes }
  }
}

const toField = (name: string, value: unknown): [string, string | ReadonlyArray<string>] =>
  Array.isArray(value) ? [`${name}[]`, value.map(toText)] : [name, toText(value)]

const toText = (value: unknown): string =>
  typeof value === "string" ? value : (JSON.stringify(value) ?? "")

const toJsonBody = (call: TranscriptionCall) => {
  const { audio, granularities, language, parameters, temperature } = call
  return {
    ...parameters,
    model: call.model,
    response_format: call.isVerbose ? "verbose_json" : "json",
    ...(language === undefined ? undefined : { language }),
    ...(temperature === undefined ? undefined : { temperature }),
    ...(granularities.length === 0 ? undefined : { timestamp_granularities: granularities }),
    input_audio: { data: Base64.encode(audio.bytes), format: audio.format }
  }
}

/**
 * A second of audio has 10 tokens at OpenAI and 32 at Google
 * (https://ai.google.dev/gemini-api/docs/audio#technical-details-about-audio), and nobody speaks more than 10 tokens in it.
 */
export const estimateTranscriptionWorstCase = ({
  maxMillis,
  parameters
}: TranscriptionCall): TokenUsage => {
  const seconds = Math.ceil(maxMillis / 1_000)
  return {
    inputTokens: seconds * 32 + countUtf8Bytes(JSON.stringify(parameters)) + 200,
    outputTokens: seconds * 10 + 200
  }
}
