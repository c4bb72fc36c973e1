/** An answered Decision. */
import * as Schema from "effect/Schema"
import { Answers } from "../questions/Answer.ts"

/** The answer to a Decision request. */
export const Decision = Schema.Struct({
  answers: Answers,
  id: Schema.optionalKey(Schema.String),
  /** The model that answered, dated where its provider tells. */
  model: Schema.String,
  provider: Schema.optionalKey(Schema.String),
  /** The sums over all attempts, the failed ones too, as far as they are known. */
  usage: Schema.Struct({
    input_tokens: Schema.Int,
    output_tokens: Schema.Int,
    /** USD. Left out when a price is unknown. */
    cost: Schema.optionalKey(Schema.Finite)
  })
})
export type Decision = typeof Decision.Type
