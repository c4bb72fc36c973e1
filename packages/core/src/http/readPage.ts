/** Reads which stretch of a list is asked for. Source: wire facts, default page sizes. */
import type { OffsetRequest } from "../values/pages/OffsetPage.ts"
import type { CursorRequest } from "../values/pages/CursorPage.ts"
import type { ParameterReader } from "./QueryParameters.ts"

const maxPageSize = 100
const defaultPageSize = 50

export const readPage = (read: ParameterReader, perPage = defaultPageSize): OffsetRequest => ({
  offset: read.whole("offset", 0) ?? 0,
  limit: read.whole("limit", 1, maxPageSize) ?? perPage
})

/** Of a list that is walked by cursors. */
export const readCursorRequest = (read: ParameterReader): CursorRequest => {
  const after = read.cursor("starting_after")
  return {
    limit: read.whole("limit", 1, maxPageSize) ?? defaultPageSize,
    ...(after === undefined ? undefined : { after })
  }
}
