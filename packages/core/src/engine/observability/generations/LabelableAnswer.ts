/** What the record of a Decision keeps of an answer, so that it can be labelled later. */
import * as Schema from "effect/Schema"
import { optionalText } from "../../../values/schemaFields.ts"

/**
 * An answer of a calibrated Decision: numbers and keyed hashes, without the caller's words. Base64 has the
 * little-endian bytes of numbers.
 */
export const LabelableAnswer = Schema.Struct({
  kind: Schema.Literals(["noul", "choice", "score"]),
  /** Keyed hash of the question's name. */
  name: Schema.String,
  /** Keyed hash of the question itself: the same for the same question in another request. */
  key: Schema.String,
  /** The probabilities of the model as base64 of 32-bit floats. */
  weights: Schema.String,
  /** For a choice: keyed hashes of its labels as base64 of 32-bit integers. */
  labels: optionalText,
  /** The model that gave the answer and how, for a Decision of several models; absent: the model of the record. */
  model: optionalText,
  method: optionalText,
  /** The id of that model in the catalog. */
  catalogModel: optionalText,
  /** The model that was asked too, even if the first was sure; absent: none. */
  pair: optionalText
})
export type LabelableAnswer = typeof LabelableAnswer.Type
