/** The request of a transcription. */
import * as Schema from "effect/Schema"
import { Preferences } from "../../routing/Preferences.ts"
import type { ProviderOptions } from "../../routing/providerOptions.ts"
import { EndUser, SessionId } from "../../values/ids/Ids.ts"
import { Trace } from "../../values/Trace.ts"

const Granularity = Schema.Literals(["word", "segment"])

/** Every field of the router. */
export const transcriptionFields = {
  model: Schema.NonEmptyString,
  /** The language that is spoken, such as `de`. */
  language: Schema.optionalKey(Schema.String),
  /** `verbose_json` adds the language, the length, and the times of segments and words. Default `json`. */
  response_format: Schema.optionalKey(Schema.Literals(["json", "verbose_json"])),
  /** 0 to 1. */
  temperature: Schema.optionalKey(
    Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 }))
  ),
  /** Whose times are wanted; needs `verbose_json`. Default: those of segments. */
  timestamp_granularities: Schema.optionalKey(Schema.Array(Granularity)),
  provider: Schema.optionalKey(Preferences),
  session_id: Schema.optionalKey(SessionId),
  trace: Schema.optionalKey(Trace),
  user: Schema.optionalKey(EndUser)
}

/** Every other key is a parameter of the model. It is passed through to endpoints that support it. */
export const TranscriptionRequest = Schema.StructWithRest(
  Schema.Struct({
    ...transcriptionFields,
    input_audio: Schema.Struct({
      /** Base64. */
      data: Schema.String,
      /** Such as `wav` or `mp3`. */
      format: Schema.String
    })
  }),
  [Schema.Record(Schema.String, Schema.Unknown)]
)

/** A transcription in process. */
export interface TranscriptionRequest {
  readonly model: string
  readonly input_audio: {
    /** Bytes, or base64. */
    readonly data: string | Uint8Array
    /** Such as `wav` or `mp3`. */
    readonly format: string
  }
  /** The language that is spoken, such as `de`. */
  readonly language?: string | null
  /** `verbose_json` adds the language, the length, and the times of segments and words. Default `json`. */
  readonly response_format?: "json" | "verbose_json" | null
  readonly temperature?: number | null
  /** Whose times are wanted; needs `verbose_json`. Default: those of segments. */
  readonly timestamp_granularities?: ReadonlyArray<typeof Granularity.Type> | null
  /** `options` are parameters of the provider's own, by its slug. */
  readonly provider?: (Preferences & { readonly options?: ProviderOptions | null }) | null
  /** For records and spans, at most 256 characters; not sent to providers. */
  readonly session_id?: string | null
  readonly trace?: Trace | null
  /** The caller's own id of its end user, at most 256 characters; not sent to providers. */
  readonly user?: string | null
}
