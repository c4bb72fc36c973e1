/** Reasoning as the thinking blocks of Anthropic's API. */
import * as Result from "effect/Result"
import * as Base64Url from "effect/encoding/Base64Url"
import type { ReasoningPart } from "../../conversation/Part.ts"
import {
  foreignPrefix,
  type ForeignReasoning,
  getReasoningFamily,
  parseForeignReasoning,
  writeForeignReasoning
} from "../reasoningFamily.ts"

type Json = Readonly<Record<string, unknown>>

/** The format of what Anthropic signs and encrypts. */
export const anthropicFormat = "anthropic-claude-v1"

/** Whether Anthropic's own fields hold all of it. */
export const isAnthropicFormat = (format: string): boolean =>
  getReasoningFamily(format) === "anthropic"

/** Two parts when another provider gave both a text and something encrypted. */
export const parseThinking = (text: string, signature: string): ReadonlyArray<ReasoningPart> => {
  const wrapped = unwrapReasoning(signature)
  if (wrapped === undefined) {
    return [
      {
        type: "reasoning",
        // Other providers' thinking has no signature.
        ...(signature === "" ? { format: "unknown" } : { format: anthropicFormat, signature }),
        text
      }
    ]
  }
  const { encrypted, ...rest } = wrapped
  const { format, id } = rest
  return [
    { type: "reasoning", ...rest, text },
    ...(encrypted === undefined
      ? []
      : [{ type: "reasoning" as const, format, encrypted, ...(id === undefined ? {} : { id }) }])
  ]
}

export const parseRedactedThinking = (data: string): ReasoningPart => ({
  type: "reasoning",
  ...(unwrapReasoning(data) ?? { format: anthropicFormat, encrypted: data })
})

/** Reasoning that is unsigned and has no other state to carry back is written without a signature. */
export const writeSignature = (part: Omit<ReasoningPart, "text" | "type">): string => {
  const { encrypted, format, id, isSummary, signature } = part
  if (isAnthropicFormat(format)) return signature ?? ""
  const isPlain =
    getReasoningFamily(format) === undefined &&
    (encrypted ?? id ?? isSummary ?? signature) === undefined
  return isPlain ? "" : wrapReasoning(part)
}

export const writeRedactedThinking = (
  part: Omit<ReasoningPart, "text" | "type"> & { readonly encrypted: string }
): Json => ({
  type: "redacted_thinking",
  data: isAnthropicFormat(part.format) ? part.encrypted : wrapReasoning(part)
})

/** The blocks of adjacent parts. Encrypted reasoning goes with the text of the same item. */
export const writeThinking = (parts: ReadonlyArray<ReasoningPart>): ReadonlyArray<Json> => {
  const blocks: Array<Json> = []
  let last: ReasoningPart | undefined
  for (const part of parts) {
    const { encrypted, text } = part
    if (text !== undefined || encrypted === undefined) {
      if ((text ?? "") === "" && part.signature === undefined) continue
      last = part
      blocks.push({ type: "thinking", thinking: text ?? "", signature: writeSignature(part) })
    } else if (last !== undefined && isSameItem(last, part)) {
      last = { ...last, encrypted }
      blocks[blocks.length - 1] = { ...blocks.at(-1), signature: writeSignature(last) }
    } else {
      last = undefined
      blocks.push(writeRedactedThinking({ ...part, encrypted }))
    }
  }
  return blocks
}

const isSameItem = (self: ReasoningPart, that: ReasoningPart): boolean =>
  self.id !== undefined &&
  self.id === that.id &&
  self.format === that.format &&
  self.encrypted === undefined &&
  !isAnthropicFormat(self.format)

/** Begins with a prefix that no signature of Anthropic has, because of its dot. */
export const wrapReasoning = (part: ForeignReasoning): string =>
  foreignPrefix + Base64Url.encode(writeForeignReasoning(part))

/** Undefined for everything that `wrapReasoning` did not write. */
export const unwrapReasoning = (value: string): ForeignReasoning | undefined => {
  if (!value.startsWith(foreignPrefix)) return undefined
  const decoded = Base64Url.decodeString(value.slice(foreignPrefix.length))
  return Result.isSuccess(decoded) ? parseForeignReasoning(decoded.success) : undefined
}
