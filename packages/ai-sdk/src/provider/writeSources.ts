/** Writes the citations of an answer as sources. */
import type { LanguageModelV4Source } from "@ai-sdk/provider"
import { isObject } from "../isObject.ts"

/** Annotations that cite no URL say nothing that a source has a place for. */
export const writeSources = (annotations: unknown): ReadonlyArray<LanguageModelV4Source> =>
  Array.isArray(annotations) ? annotations.flatMap(writeSource) : []

const writeSource = (annotation: unknown): ReadonlyArray<LanguageModelV4Source> => {
  const citation = isObject(annotation) ? annotation["url_citation"] : undefined
  if (!isObject(citation)) return []
  const { title, url } = citation
  return typeof url === "string"
    ? [
        {
          type: "source",
          sourceType: "url",
          id: url,
          url,
          ...(typeof title === "string" ? { title } : undefined)
        }
      ]
    : []
}
