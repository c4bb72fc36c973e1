/** Reads the entries of `GET /api/v1/models`, from a file or from a server. */
import * as Effect from "effect/Effect"
import { showProgress } from "../output/progress.ts"
import { usageError } from "../usageError.ts"
import { type CatalogServer, fetchJson } from "./fetchJson.ts"

/** The entries as they are listed, unchecked. */
export type Listing = ReadonlyArray<unknown>

/** The entries of `{ data: [...] }` or of the bare list; undefined when it is neither. */
export const findEntries = (json: unknown): Listing | undefined => {
  if (Array.isArray(json)) return json
  return isRecord(json) && Array.isArray(json["data"]) ? json["data"] : undefined
}

/** The largest page of the HTTP API. */
const pageSize = 1_000
/** A server whose pages never end would fill the memory. */
const maxEntries = 100_000

/** Page by page. */
export const downloadListing = Effect.fnUntraced(function* (server: CatalogServer) {
  const entries: Array<unknown> = []
  for (;;) {
    showProgress(`Reading ${server.url}: ${entries.length} models`)
    const query = `output_modalities=all&offset=${entries.length}&limit=${pageSize}`
    const json = yield* fetchJson(server, `/models?${query}`)
    const page = findEntries(json)
    if (page === undefined) {
      return yield* usageError(
        `${server.url} answers with no list of models: is the address right?`
      )
    }
    entries.push(...page)
    if (entries.length > maxEntries) {
      return yield* usageError(`${server.url} lists more than ${maxEntries} models`)
    }
    // Absent from servers that send every model at once.
    const total = isRecord(json) ? json["total_count"] : undefined
    if (page.length === 0 || typeof total !== "number" || entries.length >= total) return entries
  }
})

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The name of an entry; without a name, its position. */
export const describeEntry = (entry: unknown, index: number): string =>
  isRecord(entry) && typeof entry["id"] === "string" && entry["id"] !== ""
    ? entry["id"]
    : `entry ${index + 1}`
