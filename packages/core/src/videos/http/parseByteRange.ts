/** Which stretch of a file a request asks for. Source: RFC 9110, 13.1.5 and 14.2. */
import type { ByteRange } from "../../upstreams/VideoContent.ts"

/**
 * Undefined means all of it: no range, several, or one that makes no sense, which is to be ignored; so is one of
 * `HEAD`, and one with `If-Range`, since no file is told with anything that a client could compare.
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
