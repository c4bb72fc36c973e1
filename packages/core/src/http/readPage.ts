/** Reads which stretch of a list is asked for. Source: wire facts, default page sizes. */
import type { Page } from "../values/Page.ts"
import type { ParameterReader } from "./Parameters.ts"

const mostPerPage = 100
const defaultPerPage = 50

export const readPage = (read: ParameterReader, perPage = defaultPerPage): Page => ({
  offset: read.whole("offset", 0) ?? 0,
  limit: read.whole("limit", 1, mostPerPage) ?? perPage
})
