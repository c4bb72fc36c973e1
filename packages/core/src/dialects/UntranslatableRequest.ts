/** A conversation that a dialect cannot express. */
import * as Data from "effect/Data"

/** Found before anything is sent; the caller can correct it, so it is a 400. */
export class UntranslatableRequest extends Data.TaggedError("UntranslatableRequest")<{
  /** Where in the request of the caller, such as `["messages", 3]`; empty: nowhere in particular. */
  readonly path: ReadonlyArray<number | string>
  /** What is wrong, naming what the caller wrote, such as the id of a call. */
  readonly problem: string
}> {}
