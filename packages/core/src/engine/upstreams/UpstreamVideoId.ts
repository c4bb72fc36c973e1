/** An upstream's id of a video job, safe as a segment of a URL path. */
import * as Schema from "effect/Schema"

/** 1 to 1,024 characters of printable ASCII, except `.` and `..`, which would escape from the path. */
export const UpstreamVideoId = Schema.String.check(
  Schema.isPattern(/^(?!\.{1,2}$)[\x21-\x7e]{1,1024}$/)
)
