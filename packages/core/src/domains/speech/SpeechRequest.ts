/** The request of speech. */
import * as Schema from "effect/Schema"
import { Preferences } from "../../routing/Preferences.ts"
import type { ProviderOptions } from "../../routing/providerOptions.ts"
import { AudioFormat } from "../../values/audio/AudioFormat.ts"
import { EndUser, SessionId } from "../../values/ids/Ids.ts"
import { Trace } from "../../values/Trace.ts"

/** A recording of a voice to imitate, and what it says. */
const InputReference = Schema.Union([
  Schema.Struct({
    type: Schema.Literal("input_audio"),
    input_audio: Schema.Struct({
      /** Base64. */
      data: Schema.NonEmptyString,
      /** Such as `wav`. */
      format: Schema.optionalKey(Schema.String)
    })
  }),
  Schema.Struct({ type: Schema.Literal("text"), text: Schema.String })
])

/** The name of a voice, or the id of one of the caller's own: https://platform.openai.com/docs/api-reference/audio/createSpeech. */
const Voice = Schema.Union([Schema.NonEmptyString, Schema.Struct({ id: Schema.NonEmptyString })])

/** Every field of the router. */
export const speechFields = {
  model: Schema.NonEmptyString,
  /** The text to speak. */
  input: Schema.NonEmptyString,
  /** Required unless the provider has a default. */
  voice: Schema.optionalKey(Voice),
  /** Default `pcm`: samples of 16 bits without a header. */
  response_format: Schema.optionalKey(AudioFormat),
  /** How to speak, in words. */
  instructions: Schema.optionalKey(Schema.String),
  /** The pace, where 1 is normal. */
  speed: Schema.optionalKey(Schema.Finite.check(Schema.isGreaterThan(0))),
  /** One recording of a voice to imitate and, beside it, one text that says what is spoken there. */
  input_references: Schema.optionalKey(Schema.Array(InputReference)),
  provider: Schema.optionalKey(Preferences),
  session_id: Schema.optionalKey(SessionId),
  trace: Schema.optionalKey(Trace),
  user: Schema.optionalKey(EndUser)
}

/** Every other key is a parameter of the model. It is passed through to endpoints that support it. */
export const SpeechRequest = Schema.StructWithRest(Schema.Struct(speechFields), [
  Schema.Record(Schema.String, Schema.Unknown)
])

/** Speech in process. */
export interface SpeechRequest {
  readonly model: string
  readonly input: string
  /** The name of a voice, or the id of one of the caller's own. */
  readonly voice?: typeof Voice.Type | null
  /** Default `pcm`: samples of 16 bits without a header. */
  readonly response_format?: AudioFormat | null
  readonly instructions?: string | null
  /** The pace, where 1 is normal. */
  readonly speed?: number | null
  /** One recording of a voice to imitate, and what is spoken there; for endpoints that clone voices. */
  readonly input_references?: ReadonlyArray<typeof InputReference.Type> | null
  /** `options` are parameters of the provider's own, by its slug. */
  readonly provider?: (Preferences & { readonly options?: ProviderOptions | null }) | null
  /** For records and spans, at most 256 characters; not sent to providers. */
  readonly session_id?: string | null
  readonly trace?: Trace | null
  /** The caller's own id of its end user, at most 256 characters; not sent to providers. */
  readonly user?: string | null
}
