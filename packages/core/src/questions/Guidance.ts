/** Free-form guidance of a question: a string, or a JSON object or array. */
import * as Schema from "effect/Schema"

/** A JSON object or array whose inside is nobody's business but the model's. */
const JsonContainer = Schema.declare<Record<string, unknown> | ReadonlyArray<unknown>>(
  (input): input is Record<string, unknown> | ReadonlyArray<unknown> =>
    typeof input === "object" && input !== null,
  { expected: "a string, an object or an array" }
)

/** What a question or an option says to the model. */
export const Guidance = Schema.Union([Schema.String, JsonContainer])
export type Guidance = typeof Guidance.Type
