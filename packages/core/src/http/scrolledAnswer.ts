/** A page of a list that is walked by cursors, and the cursor of the next one. */
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { Scrolled } from "../values/Scroll.ts"
import { cursorOf } from "./cursor.ts"
import { jsonAnswer } from "./jsonAnswer.ts"

export const scrolledAnswer = <A>(
  { next, rows }: Scrolled<A>,
  told: (row: A) => unknown
): HttpServerResponse.HttpServerResponse =>
  jsonAnswer({
    data: rows.map(told),
    has_more: next !== undefined,
    ...(next === undefined ? undefined : { next_cursor: cursorOf(next) })
  })
