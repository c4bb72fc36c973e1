/** Writes the citations of an answer as sources. */
import type { LanguageModelV4Source } from "@ai-sdk/provider"
import type { Citation } from "@signalbox/core/dialects"

export const writeSources = (
  citations: ReadonlyArray<Citation>
): ReadonlyArray<LanguageModelV4Source> =>
  citations.map(({ title, url }) => ({
    type: "source",
    sourceType: "url",
    id: url,
    url,
    ...(title === undefined ? undefined : { title })
  }))
