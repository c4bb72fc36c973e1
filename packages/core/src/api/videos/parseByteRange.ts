/** Parses the byte range of a request (RFC 9110, sections 13.1.5 and 14.2). */
import type { ByteRange } from "../../engine/upstreams/VideoContent.ts"

/**
 * Undefined means the whole file. Several ranges, an invalid range and a range of a `HEAD` request are ignored.
 * A range with `If-Range` is ignored too, because responses carry no validator that it could match.
 */
export const parseByteRange = ({
  headers,
  method
}: {
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly method: string
}): ByteRange | undefined => {
  if (method !== "GET" || headers["if-range"] !== undefined) return undefined
  const [, first = "", last = ""] =
    /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(headers["range"]?.trim() ?? "") ?? []
  if (first === "") return last === "" ? undefined : { suffix: Number(last) }
  if (last === "") return { first: Number(first) }
  return Number(last) < Number(first) ? undefined : { first: Number(first), last: Number(last) }
}
