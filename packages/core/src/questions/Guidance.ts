/** Free-form guidance of a question: a string, or a JSON object or array. */
import * as Schema from "effect/Schema"

/** A JSON object or array that is passed to the model unchecked. */
const JsonContainer = Schema.declare<Record<string, unknown> | ReadonlyArray<unknown>>(
  (input): input is Record<string, unknown> | ReadonlyArray<unknown> =>
    typeof input === "object" && input !== null,
  { expected: "a string, an object or an array" }
)

/** Instructions of a question or an option for the model. */
export const Guidance = Schema.Union([Schema.String, JsonContainer])
export type Guidance = typeof Guidance.Type
