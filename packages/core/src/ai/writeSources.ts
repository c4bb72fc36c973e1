/** Writes the citations of an answer as sources. */
import type * as Response from "effect/ai/Response"
import { isObject } from "../values/json/isObject.ts"

/** Annotations that cite no URL say nothing that a source has a place for. */
export const writeSources = (annotations: unknown): ReadonlyArray<Response.UrlSourcePartEncoded> =>
  Array.isArray(annotations) ? annotations.flatMap(writeSource) : []

const writeSource = (annotation: unknown): ReadonlyArray<Response.UrlSourcePartEncoded> => {
  const citation = isObject(annotation) ? annotation["url_citation"] : undefined
  if (!isObject(citation)) return []
  const { title, url } = citation
  if (typeof url !== "string" || !URL.canParse(url)) return []
  return [
    {
      type: "source",
      sourceType: "url",
      id: url,
      url,
      title: typeof title === "string" ? title : url
    }
  ]
}
