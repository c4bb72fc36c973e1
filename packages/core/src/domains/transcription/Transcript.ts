/** The answer to a transcription. */
import * as Schema from "effect/Schema"

/** Times are seconds from the start of the recording. What the provider does not say is left out. */
export const Transcript = Schema.Struct({
  text: Schema.String,
  /** The next five are in `verbose_json` only. */
  task: Schema.optionalKey(Schema.String),
  language: Schema.optionalKey(Schema.String),
  /** Seconds. */
  duration: Schema.optionalKey(Schema.Finite),
  segments: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({
        id: Schema.Int,
        start: Schema.Finite,
        end: Schema.Finite,
        text: Schema.String,
        seek: Schema.optionalKey(Schema.Int),
        speaker: Schema.optionalKey(Schema.Int),
        tokens: Schema.optionalKey(Schema.Array(Schema.Int)),
        temperature: Schema.optionalKey(Schema.Finite),
        avg_logprob: Schema.optionalKey(Schema.Finite),
        compression_ratio: Schema.optionalKey(Schema.Finite),
        no_speech_prob: Schema.optionalKey(Schema.Finite)
      })
    )
  ),
  words: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({
        word: Schema.String,
        start: Schema.Finite,
        end: Schema.Finite,
        confidence: Schema.optionalKey(Schema.Finite),
        speaker: Schema.optionalKey(Schema.Int)
      })
    )
  ),
  confidence: Schema.optionalKey(Schema.Finite),
  /** Of each token, where `include` asks for them and the provider tells them. */
  logprobs: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({
        token: Schema.String,
        logprob: Schema.Finite,
        bytes: Schema.optionalKey(Schema.Array(Schema.Int))
      })
    )
  ),
  /** The known usage of all attempts, including failed ones. */
  usage: Schema.Struct({
    /** The length of the recording; omitted when it is unknown. */
    seconds: Schema.optionalKey(Schema.Finite),
    /** Omitted when the provider bills seconds only, as the next two. */
    input_tokens: Schema.optionalKey(Schema.Int),
    output_tokens: Schema.optionalKey(Schema.Int),
    total_tokens: Schema.optionalKey(Schema.Int),
    /** USD; omitted when a price is unknown. */
    cost: Schema.optionalKey(Schema.Finite)
  })
})
export type Transcript = typeof Transcript.Type

/** A transcript in process, which has no headers. */
export interface RoutedTranscript extends Transcript {
  /** The id of its generation record. */
  readonly id: string
  /** The catalog id of the model that answered; the record has the provider's name for it. */
  readonly model: string
  readonly provider: string
}
