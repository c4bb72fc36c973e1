/** Errors of labels. */
import * as Data from "effect/Data"

/** The generation has no answers that can be labelled: no Decision, not answered, or made without `calibration`. */
export class NotLabelable extends Data.TaggedError("NotLabelable")<{
  readonly id: string
}> {}
