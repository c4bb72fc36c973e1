/**
 * Carries reasoning of other providers through `encrypted_content`, which clients send back unchanged. Readable text stays
 * in the summaries of the item, unless the client wants none.
 */
import * as Base64Url from "effect/encoding/Base64Url"
import * as Result from "effect/Result"
import type { ReasoningPart } from "../../conversation/Part.ts"
import { findJson } from "../../values/json/findJson.ts"
import { isObject } from "../../values/json/isObject.ts"
import { findIndex, findText, type Json, toList } from "./fields.ts"

/** A part of the reasoning of one item. */
export interface WrappedPart extends Omit<ReasoningPart, "extra" | "type"> {
  /** The place among the summaries of the item of `text`, which is then not wrapped. */
  readonly summaryIndex?: number
}

/** No provider's own encrypted content has a dot. */
const prefix = "signalbox."

export const wrapReasoning = (parts: ReadonlyArray<WrappedPart>): string =>
  prefix +
  Base64Url.encode(
    JSON.stringify(
      parts.map(({ summaryIndex, text, ...part }) =>
        summaryIndex === undefined ? { ...part, text } : { ...part, summaryIndex }
      )
    )
  )

/** Undefined for everything that `wrapReasoning` did not write. */
export const unwrapReasoning = (
  value: string,
  summaries: ReadonlyArray<string>
): ReadonlyArray<ReasoningPart> | undefined => {
  if (!value.startsWith(prefix)) return undefined
  const text = Result.getOrElse(Base64Url.decodeString(value.slice(prefix.length)), () => "")
  return toList(findJson(text)).flatMap((part) =>
    isObject(part) && typeof part["format"] === "string"
      ? [toPart(part, part["format"], summaries)]
      : []
  )
}

const toPart = (part: Json, format: string, summaries: ReadonlyArray<string>): ReasoningPart => {
  const { encrypted, id, isSummary, signature, summaryIndex } = part
  const index = findIndex(summaryIndex)
  const text = index === undefined ? findText(part["text"]) : summaries[index]
  return {
    type: "reasoning",
    format,
    ...(text === undefined ? undefined : { text }),
    ...(isSummary === true ? { isSummary } : undefined),
    ...(typeof signature === "string" ? { signature } : undefined),
    ...(typeof encrypted === "string" ? { encrypted } : undefined),
    ...(typeof id === "string" ? { id } : undefined)
  }
}
