/** The speech capability of an upstream. */
import type * as HttpClient from "effect/http/HttpClient"
import type * as Redacted from "effect/Redacted"
import type * as Stream from "effect/Stream"
import type { AudioFormat } from "../../values/audio/AudioFormat.ts"
import type { PushStream } from "../../values/push/PushStream.ts"
import type { NanoUsd } from "../../values/usage/NanoUsd.ts"
import type { TokenUsage } from "../../values/usage/TokenUsage.ts"
import type { ChangeListener } from "./ChangeListener.ts"
import type { UpstreamFailure } from "./failures/UpstreamFailure.ts"

/** One text to speak at one endpoint of an upstream. Absent fields have the model's default. */
export interface SpeechCall {
  /** The model's name at the upstream. */
  readonly model: string
  /** Not empty, from the untrusted caller. */
  readonly input: string
  /** The format that the audio must have. */
  readonly format: AudioFormat
  /** The name of a voice; with `isOwnVoice` the id of one that the caller has made at the upstream. */
  readonly voice?: string
  readonly isOwnVoice?: true
  /** How to speak, in words. */
  readonly instructions?: string
  /** The pace, where 1 is normal; above 0. */
  readonly speed?: number
  /** A recording of the voice to imitate; only at endpoints whose terms say that they clone voices. */
  readonly reference?: VoiceReference
  /** Other parameters, unchanged from the caller: those that the endpoint supports, or all when it has no list. */
  readonly parameters: Readonly<Record<string, unknown>>
  /** The customer's own credential; absent: the host's is used. */
  readonly credential?: Redacted.Redacted
  /** Receives what of the request the provider says that it ignored, before the answer is given. */
  readonly onChange?: ChangeListener
}

/** A recording of a voice. */
export interface VoiceReference {
  /** Base64, as the caller sent it. */
  readonly data: string
  /** Such as `wav`; absent: unknown. */
  readonly format?: string
  /** What the recording says; absent: unknown. */
  readonly text?: string
}

/** What an upstream sends, in order. */
export type SpeechEvent =
  | {
      readonly type: "audio"
      /** Not empty. */
      readonly bytes: Uint8Array
    }
  | {
      readonly type: "end"
      /** Tokens, for upstreams that charge by them; absent: not reported. The core counts characters. */
      readonly usage?: TokenUsage
      /** The cost that the upstream reports. */
      readonly cost?: NanoUsd
      /** The dated name of the model that answered; absent: not reported. */
      readonly model?: string
      /** The upstream's id of the answer, for its support. */
      readonly id?: string
    }

/** Speaks texts. */
export interface SpeechCapability {
  /**
   * Streams the audio as it arrives, and ends with `end`. A stream without it broke off. Each call sends one request, because
   * retries and fallbacks belong to the core. An interruption must abort the request. What the upstream cannot say is an
   * `unsupported_parameter`, and nothing is sent. The core refuses audio in another format than the requested one.
   */
  readonly speak: (
    call: SpeechCall
  ) =>
    | Stream.Stream<SpeechEvent, UpstreamFailure, HttpClient.HttpClient>
    | PushStream<SpeechEvent, UpstreamFailure, HttpClient.HttpClient>
  /** The formats that it can make, by the model's name there. Absent: any. */
  readonly formats?: ReadonlyArray<AudioFormat> | ((model: string) => ReadonlyArray<AudioFormat>)
  /** It has no voice of its own, so that a call must name one. Absent: it may have one. */
  readonly needsVoice?: true
  /** It uses the host's own credential only and ignores `credential` of a call. Absent: it uses `credential`. */
  readonly ignoresCredentials?: true
  /** It rejects a call with an unsupported parameter instead of ignoring the parameter. Absent: it may ignore some. */
  readonly checksParameters?: true
  /** The maximum tokens of the call, of which the cost is reserved before it. The core counts characters. */
  readonly estimateWorstCase: (call: SpeechCall) => TokenUsage
}
