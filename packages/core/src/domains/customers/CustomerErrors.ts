/** Errors of customers. */
import * as Data from "effect/Data"

/** There is another customer, or another workspace, with this slug. */
export class CustomerExists extends Data.TaggedError("CustomerExists")<{
  readonly slug: string
  /** How it differs from the requested one, such as `has the bundle pro; …`. */
  readonly difference: string
}> {}
