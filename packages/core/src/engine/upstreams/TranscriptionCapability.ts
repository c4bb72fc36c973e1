/** The transcription capability of an upstream. */
import type * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import type * as Redacted from "effect/Redacted"
import type { NanoUsd } from "../../values/usage/NanoUsd.ts"
import type { TokenUsage } from "../../values/usage/TokenUsage.ts"
import type { ChangeListener } from "./ChangeListener.ts"
import type { UpstreamFailure } from "./failures/UpstreamFailure.ts"

/** One recording to transcribe at one endpoint of an upstream. Absent fields have the model's default. */
export interface TranscriptionCall {
  /** The model's name at the upstream. */
  readonly model: string
  /** The recording as the caller sent it, not empty. */
  readonly audio: AudioFile
  /** An upper bound of its length in milliseconds, from its header or else from its size. */
  readonly maxMillis: number
  /** The language that is spoken, such as `de`. */
  readonly language?: string
  /** 0 to 1. */
  readonly temperature?: number
  /** The caller wants the language, the length and the segments, and so do `granularities`. */
  readonly isVerbose: boolean
  /** Whose times the caller wants; empty unless verbose. */
  readonly granularities: ReadonlyArray<TimeGranularity>
  /** Other parameters, unchanged from the caller: those that the endpoint supports, or all when it has no list. */
  readonly parameters: Readonly<Record<string, unknown>>
  /** The customer's own credential; absent: the host's is used. */
  readonly credential?: Redacted.Redacted
  /** Receives what of the request the provider says that it ignored, before the answer is given. */
  readonly onChange?: ChangeListener
}

/** What has times in a transcript: each word, or each segment. */
export type TimeGranularity = "word" | "segment"

/** A recording. */
export interface AudioFile {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Such as `wav`, by which the upstream tells what the bytes are. */
  readonly format: string
  /** Such as `audio/wav`. */
  readonly mediaType: string
}

/** A part of a transcript with its times in seconds. */
export interface TranscriptSegment {
  readonly id: number
  readonly start: number
  readonly end: number
  readonly text: string
  readonly seek?: number
  readonly speaker?: number
  readonly tokens?: ReadonlyArray<number>
  readonly temperature?: number
  readonly avgLogprob?: number
  readonly compressionRatio?: number
  readonly noSpeechProb?: number
}

/** A word of a transcript with its times in seconds. */
export interface TranscriptWord {
  readonly word: string
  readonly start: number
  readonly end: number
  readonly confidence?: number
  readonly speaker?: number
}

/** A token of a transcript and how likely it is. */
export interface TranscriptToken {
  readonly token: string
  readonly logprob: number
  /** Its UTF-8 bytes. */
  readonly bytes?: ReadonlyArray<number>
}

/** The transcript, and the usage. */
export interface TranscriptionReply {
  /** Empty for a recording without speech. */
  readonly text: string
  readonly language?: string
  /** The length of the recording in seconds, as the upstream found it. */
  readonly seconds?: number
  readonly segments?: ReadonlyArray<TranscriptSegment>
  readonly words?: ReadonlyArray<TranscriptWord>
  readonly confidence?: number
  /** Where the caller's parameters ask for them. */
  readonly logprobs?: ReadonlyArray<TranscriptToken>
  /** Tokens, for upstreams that charge by them; absent: not reported. */
  readonly usage?: TokenUsage
  /** The cost that the upstream reports. */
  readonly cost?: NanoUsd
  /** The dated name of the model that answered; absent: not reported. */
  readonly model?: string
  /** The upstream's id of the answer, for its support. */
  readonly id?: string
}

/** Transcribes recordings. */
export interface TranscriptionCapability {
  /**
   * Each call sends one request, because retries and fallbacks belong to the core. An interruption must abort the request.
   * What the upstream cannot say or find out is an `unsupported_parameter`, and nothing is sent.
   */
  readonly transcribe: (
    call: TranscriptionCall
  ) => Effect.Effect<TranscriptionReply, UpstreamFailure, HttpClient.HttpClient>
  /** It uses the host's own credential only and ignores `credential` of a call. Absent: it uses `credential`. */
  readonly ignoresCredentials?: true
  /** It rejects a call with an unsupported parameter instead of ignoring the parameter. Absent: it may ignore some. */
  readonly checksParameters?: true
  /** The maximum tokens of the call, of which the cost is reserved before it. The core counts the length. */
  readonly estimateWorstCase: (call: TranscriptionCall) => TokenUsage
}
