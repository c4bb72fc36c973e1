/** Writes the sources of an answer as the annotations of the chat dialect. */
import type { LanguageModelV4Citation, LanguageModelV4Source } from "@ai-sdk/provider"

type Json = Readonly<Record<string, unknown>>

/** Chat has annotations for web pages only. */
export const writeAnnotation = (
  source: LanguageModelV4Source,
  cited: Omit<LanguageModelV4Citation, "source"> = {}
): ReadonlyArray<Json> => {
  if (source.sourceType !== "url") return []
  const { citedText, endIndex, startIndex } = cited
  return [
    {
      type: "url_citation",
      url_citation: {
        url: source.url,
        ...(source.title === undefined ? undefined : { title: source.title }),
        ...(citedText === undefined ? undefined : { content: citedText }),
        ...(startIndex === undefined ? undefined : { start_index: startIndex }),
        ...(endIndex === undefined ? undefined : { end_index: endIndex })
      }
    }
  ]
}

export const writeCitations = (
  citations: ReadonlyArray<LanguageModelV4Citation> | undefined
): ReadonlyArray<Json> =>
  citations?.flatMap(({ source, ...cited }) => writeAnnotation(source, cited)) ?? []
