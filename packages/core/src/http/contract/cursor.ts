/** How a place in a list is written in an address: for clients to hand back, not to read. */
import * as Result from "effect/Result"
import * as Base64Url from "effect/encoding/Base64Url"

export const encodeCursor = (position: number): string => Base64Url.encode(`after:${position}`)

/** Undefined for what `encodeCursor` never wrote. */
export const parseCursor = (cursor: string): number | undefined => {
  const text = Result.getOrElse(Base64Url.decodeString(cursor), () => "")
  const place = Number(text.slice("after:".length))
  return Number.isSafeInteger(place) && place >= 0 && encodeCursor(place) === cursor
    ? place
    : undefined
}
