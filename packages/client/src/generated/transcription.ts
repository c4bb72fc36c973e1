/** Transcription: the operations of the group `transcription`. `npm run docs` writes this file from the contract. */
import type { CallOptions, Connection } from "../Connection.ts"
import type { Preferences } from "./types/Preferences.ts"
import type { Trace } from "./types/Trace.ts"

export interface TranscriptionCreateInput {
  readonly model: string
  readonly language?: string
  readonly response_format?: "json" | "verbose_json"
  readonly temperature?: number
  readonly timestamp_granularities?: ReadonlyArray<"word" | "segment">
  readonly provider?: Preferences
  readonly session_id?: string
  readonly trace?: Trace
  readonly user?: string
  readonly input_audio: {
    readonly data: string
    readonly format: string
  }
  readonly [field: string]: unknown
}

export interface TranscriptionCreateOutput {
  readonly text: string
  readonly task?: string
  readonly language?: string
  readonly duration?: number
  readonly segments?: ReadonlyArray<{
    readonly id: number
    readonly start: number
    readonly end: number
    readonly text: string
    readonly seek?: number
    readonly speaker?: number
    readonly tokens?: ReadonlyArray<number>
    readonly temperature?: number
    readonly avg_logprob?: number
    readonly compression_ratio?: number
    readonly no_speech_prob?: number
  }>
  readonly words?: ReadonlyArray<{
    readonly word: string
    readonly start: number
    readonly end: number
    readonly confidence?: number
    readonly speaker?: number
  }>
  readonly confidence?: number
  readonly logprobs?: ReadonlyArray<{
    readonly token: string
    readonly logprob: number
    readonly bytes?: ReadonlyArray<number>
  }>
  readonly usage: {
    readonly seconds?: number
    readonly input_tokens?: number
    readonly output_tokens?: number
    readonly total_tokens?: number
    readonly cost?: number
  }
  readonly service_metadata?: Readonly<Record<string, unknown>> | null
  readonly openrouter_metadata?: Readonly<Record<string, unknown>> | null
}

/** Transcription. */
export const transcription = (connection: Connection) => ({
  /** Write down what a recording says. The recording is base64 in JSON, or the `file` of a form (`multipart/form-data`) whose other fields have the names of the JSON, with `timestamp_granularities[]` for a list and JSON as the text of `trace` and `provider`. */
  create: (
    input: TranscriptionCreateInput,
    options?: CallOptions
  ): Promise<TranscriptionCreateOutput> =>
    connection.call("POST /api/v1/audio/transcriptions", input, options)
})
