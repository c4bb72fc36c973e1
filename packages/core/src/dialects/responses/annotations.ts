/** Citations in the annotations of this API. */
import type { Citation } from "../../conversation/Part.ts"
import type { Json } from "./fields.ts"

/** Typed clients require all five fields. */
export const writeAnnotations = (citations: ReadonlyArray<Citation>): ReadonlyArray<Json> =>
  citations.map(({ end = 0, start = 0, title = "", url }) => ({
    type: "url_citation",
    url,
    title,
    start_index: start,
    end_index: end
  }))
