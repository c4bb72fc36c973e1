/** Finds the providers that can read the reasoning of an earlier answer. */
import type { Part, ReasoningFormat, ReasoningPart } from "../conversation/Part.ts"
import { findJson, isObject } from "../values/json/guards.ts"

/** Providers that read each other's signatures. */
export type ReasoningFamily = "anthropic" | "google" | "openai" | (string & {})

/**
 * The family of a format: `anthropic-claude-v1` is `anthropic`; `openai-responses-v1` is `openai`, but
 * `azure-openai-responses-v1` and `xai-responses-v1` are families of their own, because each provider encrypts with its
 * own key. `ai-sdk-groq.chat-v1` is `ai-sdk-groq.chat`: each provider of the AI SDK reads its own metadata only.
 * Undefined for a format that names no provider, such as `unknown`.
 */
export const getReasoningFamily = (format: ReasoningFormat): ReasoningFamily | undefined => {
  if (format.startsWith("anthropic-")) return "anthropic"
  if (format.startsWith("google-")) return "google"
  const named =
    /^(ai-sdk-.+)-v\d+$/s.exec(format) ?? /^(.+?)(?:-openai)?-responses-v\d+$/.exec(format)
  return named?.[1]
}

/** Whether encrypted details of a format are signatures of calls and texts instead of thoughts. */
export const isSigningFormat = (format: ReasoningFormat): boolean =>
  format.startsWith("ai-sdk-") || format.startsWith("google-")

const getSignedFormat = (part: Part): ReasoningFormat | undefined => {
  if (part.type === "reasoning") {
    return part.signature === undefined && part.encrypted === undefined ? undefined : part.format
  }
  return part.type === "call" || part.type === "text" ? part.signature?.format : undefined
}

/**
 * The parts without reasoning and signatures that `family` cannot read. A turn keeps its other parts; what was thought
 * elsewhere never becomes text.
 */
export const dropForeignReasoning = (
  parts: ReadonlyArray<Part>,
  family: ReasoningFamily
): ReadonlyArray<Part> =>
  parts.flatMap((part): ReadonlyArray<Part> => {
    const format = part.type === "reasoning" ? part.format : getSignedFormat(part)
    if (format === undefined || getReasoningFamily(format) === family) return [part]
    if (part.type !== "call" && part.type !== "text") return []
    const { signature: _, ...unsigned } = part
    return [unsigned]
  })

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
