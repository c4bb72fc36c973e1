/** Errors of lookups in the catalog. */
import * as Data from "effect/Data"

/** No model has this name. */
export class ModelNotListed extends Data.TaggedError("ModelNotListed")<{
  readonly model: string
  /** The listed model that the caller may use with the nearest name. */
  readonly nearest?: string
}> {}
