/** A conversation that a dialect cannot express. */
import * as Data from "effect/Data"

/** Found before anything is sent; the caller can correct it, so it is a 400. */
export class UntranslatableRequest extends Data.TaggedError("UntranslatableRequest")<{
  /** The path in the caller's request, such as `["messages", 3]`; empty: the problem has no place. */
  readonly path: ReadonlyArray<number | string>
  /** The problem, in terms of the caller's request, such as the id of a call. */
  readonly problem: string
}> {}
