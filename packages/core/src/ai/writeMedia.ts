/** Writes media of an answer as files, or as sources where only their URL is known. */
import type * as Response from "effect/ai/Response"
import type { Part } from "../conversation/Part.ts"

type MediaPart = Response.FilePartEncoded | Response.UrlSourcePartEncoded

/** Nothing for parts that are no media. */
export const writeMedia = (part: Part): ReadonlyArray<MediaPart> => {
  if (!("source" in part)) return []
  const { source } = part
  switch (source.type) {
    case "base64":
      return [{ type: "file", mediaType: source.mediaType, data: source.data }]
    case "url":
      return URL.canParse(source.url)
        ? [{ type: "source", sourceType: "url", id: source.url, url: source.url, title: part.type }]
        : []
    case "id":
      return []
  }
}
