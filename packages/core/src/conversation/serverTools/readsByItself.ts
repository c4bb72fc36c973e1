/** Finds in an answer, or a piece of one, what the provider searched or read by itself. */
import type { ServerCalls } from "../../values/usage/ModelUsage.ts"
import type { Part } from "../Part.ts"
import { isObject } from "../../values/json/guards.ts"

/**
 * The calls that follow from the annotations of a chat message, which cite what the provider read; undefined: the
 * message has no annotations.
 */
export const findCitedCalls = (annotations: unknown): ServerCalls | undefined => {
  if (!Array.isArray(annotations) || annotations.length === 0) return undefined
  return annotations.some((each) => isObject(each) && each["type"] === "url_citation")
    ? oneSearch
    : oneCall
}

/** The search that follows from citations in an answer; undefined: it cites nothing. */
export const findCitingPart = (parts: ReadonlyArray<Part>): ServerCalls | undefined =>
  parts.some((part) => part.type === "text" && (part.citations ?? []).length > 0)
    ? oneSearch
    : undefined

/** The call in a block of Anthropic's Messages API. Its results come in blocks of their own. */
export const findBlockCalls = (block: unknown): ServerCalls | undefined => {
  if (!isObject(block)) return undefined
  const { name, type } = block
  if (type === "mcp_tool_use") return oneCall
  if (type !== "server_tool_use") return undefined
  return name === "web_search" ? oneSearch : oneCall
}

/** The call in an item of OpenAI's Responses API. */
export const findItemCalls = (item: unknown): ServerCalls | undefined => {
  const type = isObject(item) ? item["type"] : undefined
  if (typeof type !== "string" || !serverItems.has(type)) return undefined
  return isWebSearch(item) ? oneSearch : oneCall
}

/**
 * "Search actions incur a tool call cost", and opening a page or reading in it does not
 * (https://developers.openai.com/api/docs/guides/tools-web-search). A call that does not say what it did has searched.
 */
export const isWebSearch = (item: unknown): boolean => {
  if (!isObject(item) || item["type"] !== "web_search_call") return false
  const { action } = item
  return !(
    isObject(action) &&
    (action["type"] === "open_page" || action["type"] === "find_in_page")
  )
}

/** The sum over a list of blocks or items. */
export const sumCalls = <A>(
  list: ReadonlyArray<A>,
  find: (part: A) => ServerCalls | undefined
): ServerCalls | undefined =>
  list.reduce<ServerCalls | undefined>((sum, part) => addCalls(sum, find(part)), undefined)

export const addCalls = (
  one: ServerCalls | undefined,
  other: ServerCalls | undefined
): ServerCalls | undefined =>
  one === undefined || other === undefined
    ? (one ?? other)
    : { calls: one.calls + other.calls, webSearches: one.webSearches + other.webSearches }

const oneCall: ServerCalls = { calls: 1, webSearches: 0 }
/** The calls of an answer, or a piece of one, that cites a page. */
export const oneSearch: ServerCalls = { calls: 1, webSearches: 1 }

/** Calls that the provider has run, https://developers.openai.com/api/docs/guides/tools. */
const serverItems: ReadonlySet<string> = new Set([
  "code_interpreter_call",
  "file_search_call",
  "image_generation_call",
  "mcp_call",
  "mcp_list_tools",
  "tool_search_call",
  "web_search_call"
])
