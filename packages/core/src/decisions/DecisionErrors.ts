/** How a Decision fails before it is routed. */
import * as Data from "effect/Data"

/** The request is not a Decision request; `path` names the first place where it is not. */
export class InvalidRequest extends Data.TaggedError("InvalidRequest")<{
  readonly path: ReadonlyArray<string | number>
  readonly problem: string
}> {}

/** The request is larger than allowed. */
export class RequestTooLarge extends Data.TaggedError("RequestTooLarge")<{
  readonly limitBytes: number
}> {}
