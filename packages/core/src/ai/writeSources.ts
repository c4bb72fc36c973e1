/** Writes the citations of an answer as sources. */
import type * as Response from "effect/ai/Response"
import type { Citation } from "../conversation/Part.ts"

/** What is no URL has no place in a source. */
export const writeSources = (
  citations: ReadonlyArray<Citation>
): ReadonlyArray<Response.UrlSourcePartEncoded> =>
  citations.flatMap(({ title, url }) =>
    !URL.canParse(url)
      ? []
      : [{ type: "source", sourceType: "url", id: url, url, title: title ?? url }]
  )
