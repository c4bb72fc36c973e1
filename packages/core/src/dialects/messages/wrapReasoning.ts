/**
 * Carries reasoning of other providers through Anthropic's API. Its clients send signatures and redacted thinking back
 * unchanged, so they can hold what the API has no field for.
 */
import * as Base64Url from "effect/encoding/Base64Url"
import * as Result from "effect/Result"
import type { ReasoningPart } from "../../conversation/Part.ts"
import { isObject } from "../../values/json/isObject.ts"

/** Everything of a reasoning part but its text. */
export type WrappedReasoning = Omit<ReasoningPart, "extra" | "text" | "type">

/** No signature of Anthropic has a dot. */
const prefix = "signalbox."

export const wrapReasoning = ({
  encrypted,
  format,
  id,
  isSummary,
  signature
}: WrappedReasoning): string =>
  prefix + Base64Url.encode(JSON.stringify({ format, id, isSummary, signature, encrypted }))

/** Undefined for everything that `wrapReasoning` did not write. */
export const unwrapReasoning = (value: string): WrappedReasoning | undefined => {
  if (!value.startsWith(prefix)) return undefined
  const json = parse(Result.getOrElse(Base64Url.decodeString(value.slice(prefix.length)), () => ""))
  if (!isObject(json)) return undefined
  const { encrypted, format, id, isSummary, signature } = json
  if (typeof format !== "string") return undefined
  return {
    format,
    ...(typeof id === "string" ? { id } : undefined),
    ...(isSummary === true ? { isSummary } : undefined),
    ...(typeof signature === "string" ? { signature } : undefined),
    ...(typeof encrypted === "string" ? { encrypted } : undefined)
  }
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
