/** Reads the citations in an answer of Google's API: https://ai.google.dev/gemini-api/docs/google-search. */
import type { Citation } from "../../conversation/Part.ts"
import type { ChatMetadata } from "../../engine/upstreams/ChatCapability.ts"
import { isObject, toList } from "../../values/json/guards.ts"
import { omitUndefined } from "../../values/ownFields.ts"
import { findText } from "../UntranslatableRequest.ts"
import { type Json, toCamelCase } from "./geminiFields.ts"

/** A place in the text, in UTF-16 code units. */
type Place = Required<Pick<Citation, "end" | "start">>

/** `text`: all of the answer so far. */
export const parseGrounding = (candidate: Json, text: string): ReadonlyArray<Citation> => {
  const grounding = toFields(candidate["groundingMetadata"])
  const chunks = toList(grounding["groundingChunks"]).map(parseChunk)
  const cited = toList(grounding["groundingSupports"]).flatMap((support) => {
    const { groundingChunkIndices, segment } = toFields(support)
    const place = findPlace(toFields(segment), text)
    return toList(groundingChunkIndices).flatMap((index) =>
      annotate(typeof index === "number" ? chunks[index] : undefined, place)
    )
  })
  // Some answers say what they found, but not for what.
  const found = cited.length === 0 ? chunks.flatMap((chunk) => annotate(chunk, undefined)) : cited
  const citations = toFields(candidate["citationMetadata"])
  const recited = toList(citations["citationSources"] ?? citations["citations"]).flatMap(
    (source) => {
      const fields = toFields(source)
      return annotate(parseSource(fields), findPlace(fields, text))
    }
  )
  return [...found, ...recited]
}

interface Source {
  readonly url: string
  readonly title?: string
}

const annotate = (source: Source | undefined, place: Place | undefined): ReadonlyArray<Citation> =>
  source === undefined ? [] : [{ ...source, ...place }]

/** A page of the web, a document of the caller, or a place on the map. */
const parseChunk = (chunk: unknown): Source | undefined => {
  const { maps, retrievedContext, web } = toFields(chunk)
  return parseSource(toFields(web ?? retrievedContext ?? maps))
}

const parseSource = (fields: Json): Source | undefined => {
  const url = findText(fields, "uri")
  if (url === undefined || url === "") return undefined
  return { url, ...omitUndefined({ title: findText(fields, "title") }) }
}

/** The API counts bytes of UTF-8 from the beginning of a part; its own quotation says where that is in the whole text. */
const findPlace = (segment: Json, text: string): Place | undefined => {
  const { endIndex, startIndex = 0, text: quoted } = segment
  if (typeof startIndex !== "number" || typeof endIndex !== "number") return undefined
  const bytes = encoder.encode(text)
  const start = decoder.decode(bytes.subarray(0, startIndex)).length
  const end = start + decoder.decode(bytes.subarray(startIndex, endIndex)).length
  if (typeof quoted !== "string" || text.slice(start, end) === quoted) {
    return { start, end }
  }
  const at = text.indexOf(quoted)
  return at === -1 ? undefined : { start: at, end: at + quoted.length }
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()

const toFields = (json: unknown): Json => (isObject(json) ? toCamelCase(json) : {})

/**
 * Counts searches as Google sells them: each query from Gemini 3 on, and before that each prompt with at least one
 * query (https://ai.google.dev/gemini-api/docs/pricing).
 */
export const countSearches = (json: Json): number => {
  let queries = 0
  const { candidates, modelVersion } = json
  for (const candidate of toList(candidates)) {
    const grounding = isObject(candidate) ? candidate["groundingMetadata"] : undefined
    const found = isObject(grounding) ? grounding["webSearchQueries"] : undefined
    if (Array.isArray(found)) queries += found.length
  }
  const isByPrompt = typeof modelVersion === "string" && soldByPrompt.test(modelVersion)
  return isByPrompt ? Math.min(queries, 1) : queries
}

const soldByPrompt = /gemini-[12]\b/

export const addSearches = (report: ChatMetadata, webSearches: number): ChatMetadata =>
  webSearches === 0
    ? report
    : {
        ...report,
        ...(report.usage === undefined ? undefined : { usage: { ...report.usage, webSearches } }),
        ...toServerCalls(webSearches)
      }

/** The model reads once what they found. */
export const toServerCalls = (webSearches: number): Pick<ChatMetadata, "serverCalls"> =>
  webSearches === 0 ? {} : { serverCalls: { calls: 1, webSearches } }
