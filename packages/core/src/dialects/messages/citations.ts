/** Citations of Anthropic's API: https://platform.claude.com/docs/en/build-with-claude/citations. */
import type { Citation } from "../../conversation/Part.ts"
import { isObject, toList } from "../../values/json/guards.ts"
import { omitUndefined } from "../../values/ownFields.ts"
import { findText } from "../UntranslatableRequest.ts"
import { replaceFields } from "../RequestChanges.ts"

type Json = Readonly<Record<string, unknown>>

/**
 * Reads citations of pages that Claude found by itself:
 * https://platform.claude.com/docs/en/agents-and-tools/tool-use/web-search-tool. Other citations refer to documents
 * that the caller sent in a form only this API has, so callers of this API get them unchanged.
 */
export const parseCitations = (citations: unknown): ReadonlyArray<Citation> =>
  toList(citations).flatMap((citation) => {
    if (!isObject(citation) || citation["type"] !== foundLocation) return []
    const url = findText(citation, "url")
    if (url === undefined) return []
    return [
      {
        url,
        ...omitUndefined({
          title: findText(citation, "title"),
          text: findText(citation, "cited_text")
        })
      }
    ]
  })

const foundLocation = "web_search_result_location"

export const writeCitations = (citations: ReadonlyArray<Citation>): ReadonlyArray<Json> =>
  citations.map(({ text, title, url }) => ({
    type: foundLocation,
    url,
    title: title ?? null,
    cited_text: text ?? "",
    encrypted_index: foreignIndex
  }))

/** Typed clients require a text; Anthropic's own is never empty. */
const foreignIndex = ""

/** The block without citations of other providers, which Anthropic refuses: it knows what it has found itself. */
export const omitForeignCitations = (block: Json): Json => {
  const { citations } = block
  if (!Array.isArray(citations) || !citations.some(isForeign)) return block
  const own = citations.filter((citation) => !isForeign(citation))
  return replaceFields(block, { citations: own.length === 0 ? undefined : own })
}

const isForeign = (citation: unknown): boolean =>
  isObject(citation) && citation["encrypted_index"] === foreignIndex
