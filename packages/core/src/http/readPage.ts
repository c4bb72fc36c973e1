/** Reads which stretch of a list is asked for. Source: wire facts, default page sizes. */
import type { Page } from "../values/Page.ts"
import type { Scroll } from "../values/Scroll.ts"
import type { ParameterReader } from "./Parameters.ts"

const mostPerPage = 100
const defaultPerPage = 50

export const readPage = (read: ParameterReader, perPage = defaultPerPage): Page => ({
  offset: read.whole("offset", 0) ?? 0,
  limit: read.whole("limit", 1, mostPerPage) ?? perPage
})

/** Of a list that is walked by cursors. */
export const readScroll = (read: ParameterReader): Scroll => {
  const after = read.cursor("starting_after")
  return {
    limit: read.whole("limit", 1, mostPerPage) ?? defaultPerPage,
    ...(after === undefined ? undefined : { after })
  }
}
