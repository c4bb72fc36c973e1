/** Writes media of an answer as files. */
import type { LanguageModelV4File } from "@ai-sdk/provider"
import { guessMediaType, type Part } from "@signalbox/core/dialects"

/** Nothing for parts that are no media. */
export const writeMedia = (part: Part): ReadonlyArray<LanguageModelV4File> => {
  if (!("source" in part)) return []
  const { source, type } = part
  switch (source.type) {
    case "base64":
      return [
        { type: "file", mediaType: source.mediaType, data: { type: "data", data: source.data } }
      ]
    case "url":
      return URL.canParse(source.url)
        ? [
            {
              type: "file",
              mediaType: source.mediaType ?? guessMediaType(source.url, type),
              data: { type: "url", url: new URL(source.url) }
            }
          ]
        : []
    case "id":
      return []
  }
}
