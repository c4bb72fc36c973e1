/** The text that carries reasoning of other providers through an API that has no field for it. */
import type { ReasoningPart } from "../conversation/Part.ts"
import { findJson } from "../values/json/findJson.ts"
import { isObject } from "../values/json/isObject.ts"

/** Everything of a reasoning part but its text. */
export type ForeignReasoning = Omit<ReasoningPart, "extra" | "text" | "type">

/** No provider begins a signature of its own with it. */
export const foreignPrefix = "signalbox."

export const writeForeignReasoning = ({
  encrypted,
  format,
  id,
  isSummary,
  signature
}: ForeignReasoning): string => JSON.stringify({ format, id, isSummary, signature, encrypted })

/** Undefined for everything that `writeForeignReasoning` did not write. */
export const parseForeignReasoning = (text: string): ForeignReasoning | undefined => {
  const json = findJson(text)
  return isObject(json) ? readForeignReasoning(json) : undefined
}

/** Undefined without a format. */
export const readForeignReasoning = (
  json: Readonly<Record<string, unknown>>
): ForeignReasoning | undefined => {
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
