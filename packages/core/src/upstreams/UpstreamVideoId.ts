/** An upstream's own name for a video job, fit to be a segment of an address. */
import * as Schema from "effect/Schema"

/** Printable ASCII, and neither `.` nor `..`, which would lead out of the path they stand in. */
export const UpstreamVideoId = Schema.String.check(
  Schema.isPattern(/^(?!\.{1,2}$)[\x21-\x7e]{1,1024}$/)
)
