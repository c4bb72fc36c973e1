/** Reads what an answer cites. */
import type { LanguageModelV4Citation, LanguageModelV4Source } from "@ai-sdk/provider"
import type { Citation } from "@signalbox/core/dialects"

/** Nothing for a document, which has no address. */
export const parseSource = (
  source: LanguageModelV4Source,
  {
    citedText: text,
    endIndex: end,
    startIndex: start
  }: Omit<LanguageModelV4Citation, "source"> = {}
): ReadonlyArray<Citation> =>
  source.sourceType === "url"
    ? [
        {
          url: source.url,
          ...(source.title === undefined ? undefined : { title: source.title }),
          ...(text === undefined ? undefined : { text }),
          ...(start === undefined ? undefined : { start }),
          ...(end === undefined ? undefined : { end })
        }
      ]
    : []

export const parseCitations = (
  citations: ReadonlyArray<LanguageModelV4Citation> | undefined
): ReadonlyArray<Citation> =>
  citations?.flatMap(({ source, ...cited }) => parseSource(source, cited)) ?? []
