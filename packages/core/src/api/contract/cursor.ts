/** Encodes a position in a list as an opaque cursor. */
import * as Result from "effect/Result"
import * as Base64Url from "effect/encoding/Base64Url"

export const encodeCursor = (position: number): string => Base64Url.encode(`after:${position}`)

/** Undefined unless `encodeCursor` produced the text. */
export const parseCursor = (cursor: string): number | undefined => {
  const text = Result.getOrElse(Base64Url.decodeString(cursor), () => "")
  const position = Number(text.slice("after:".length))
  return Number.isSafeInteger(position) && position >= 0 && encodeCursor(position) === cursor
    ? position
    : undefined
}
