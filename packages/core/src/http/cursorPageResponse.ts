/** A page of a list that is walked by cursors, and the cursor of the next one. */
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { CursorPage } from "../values/pages/CursorPage.ts"
import { encodeCursor } from "./cursor.ts"
import { jsonResponse } from "./jsonResponse.ts"

export const cursorPageResponse = <A>(
  { nextCursor, rows }: CursorPage<A>,
  toResponse: (row: A) => unknown
): HttpServerResponse.HttpServerResponse =>
  jsonResponse({
    data: rows.map(toResponse),
    has_more: nextCursor !== undefined,
    ...(nextCursor === undefined ? undefined : { next_cursor: encodeCursor(nextCursor) })
  })
