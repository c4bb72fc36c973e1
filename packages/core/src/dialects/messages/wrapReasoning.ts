/**
 * Carries reasoning of other providers through Anthropic's API. Its clients send signatures and redacted thinking back
 * unchanged, so these can hold content without a field in the API.
 */
import * as Base64Url from "effect/encoding/Base64Url"
import * as Result from "effect/Result"
import {
  type ForeignReasoning,
  foreignPrefix,
  parseForeignReasoning,
  writeForeignReasoning
} from "../reasoningFamily.ts"

/** Begins with a prefix that no signature of Anthropic has, because of its dot. */
export const wrapReasoning = (part: ForeignReasoning): string =>
  foreignPrefix + Base64Url.encode(writeForeignReasoning(part))

/** Undefined for everything that `wrapReasoning` did not write. */
export const unwrapReasoning = (value: string): ForeignReasoning | undefined => {
  if (!value.startsWith(foreignPrefix)) return undefined
  const decoded = Base64Url.decodeString(value.slice(foreignPrefix.length))
  return Result.isSuccess(decoded) ? parseForeignReasoning(decoded.success) : undefined
}
