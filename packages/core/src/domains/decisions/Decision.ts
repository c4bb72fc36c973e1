/** The response body of a Decision. */
import * as Schema from "effect/Schema"
import { Answers } from "../../questions/Answer.ts"

/** The answer to a Decision request. */
export const Decision = Schema.Struct({
  answers: Answers,
  id: Schema.optionalKey(Schema.String),
  /** The catalog id of the model that answered; the record has the provider's name for it. */
  model: Schema.String,
  provider: Schema.optionalKey(Schema.String),
  /** The known usage of all attempts, including failed ones. */
  usage: Schema.Struct({
    input_tokens: Schema.Int,
    output_tokens: Schema.Int,
    /** USD; omitted when a price is unknown. */
    cost: Schema.optionalKey(Schema.Finite)
  })
})
export type Decision = typeof Decision.Type
