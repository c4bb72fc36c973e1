/** Citations in the `annotations` of the chat dialect: https://openrouter.ai/docs/features/web-search. */
import type { Citation } from "../../conversation/Part.ts"
import { isObject, toList } from "../../values/json/guards.ts"
import { omitUndefined } from "../../values/ownFields.ts"

type Json = Readonly<Record<string, unknown>>

/** Reads the citations of a message or a delta. Citations of files are left out, because they have no address. */
export const parseAnnotations = (annotations: unknown): ReadonlyArray<Citation> =>
  Array.isArray(annotations) ? annotations.flatMap(parseAnnotation) : []

/** Annotations of the pages that Perplexity lists beside the choices (https://docs.perplexity.ai/api-reference/chat-completions-post). */
export const writeListedPages = ({
  citations,
  search_results: results
}: Json): ReadonlyArray<Json> =>
  (Array.isArray(results) && results.length > 0 ? toList(results) : toList(citations)).flatMap(
    (page) => {
      const { title, url } = isObject(page) ? page : { url: page }
      return typeof url === "string"
        ? [writeAnnotation({ url, ...omitUndefined({ title: findText(title) }) })]
        : []
    }
  )

/** Adds the pages as annotations to a message without any. */
export const withPages = (said: Json, pages: ReadonlyArray<Json>): Json =>
  pages.length === 0 || toList(said["annotations"]).length > 0
    ? said
    : { ...said, annotations: pages }

const parseAnnotation = (annotation: unknown): ReadonlyArray<Citation> => {
  if (!isObject(annotation)) return []
  // OpenAI nests the fields in chat, and does not in Responses.
  const nested = annotation["url_citation"]
  const {
    content,
    end_index: end,
    start_index: start,
    title,
    url
  } = isObject(nested) ? nested : annotation
  if (typeof url !== "string") return []
  return [
    {
      url,
      ...omitUndefined({
        title: findText(title),
        text: findText(content),
        start: findNumber(start),
        end: findNumber(end)
      })
    }
  ]
}

export const writeAnnotation = ({ end, start, text, title, url }: Citation): Json => ({
  type: "url_citation",
  url_citation: omitUndefined({ url, title, content: text, start_index: start, end_index: end })
})

const findText = (value: unknown): string | undefined =>
  typeof value === "string" ? value : undefined

const findNumber = (value: unknown): number | undefined =>
  typeof value === "number" ? value : undefined
