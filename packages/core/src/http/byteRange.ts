/** Which stretch of a file a `Range` header asks for. Source: RFC 9110, 14.2. */
import type { ByteRange } from "../upstreams/VideoContent.ts"

/** Undefined means all of it: no range, several, or one that makes no sense, which is to be ignored. */
export const byteRange = (header: string | undefined): ByteRange | undefined => {
  const [, first = "", last = ""] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? "") ?? []
  if (first === "") return last === "" ? undefined : { suffix: Number(last) }
  if (last === "") return { first: Number(first) }
  return Number(last) < Number(first) ? undefined : { first: Number(first), last: Number(last) }
}
