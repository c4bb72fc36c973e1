/** Finds the providers that can read the reasoning of an earlier answer, and converts how much a model may reason. */
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

/** Shares of the answer's cap: https://openrouter.ai/docs/use-cases/reasoning-tokens. */
const shares: Readonly<Record<string, number>> = {
  minimal: 0.1,
  low: 0.2,
  medium: 0.5,
  high: 0.8,
  xhigh: 0.95,
  max: 1
}

/** The least and the most that providers accept. */
const minBudget = 1_024
const maxBudget = 128_000

/**
 * The reasoning tokens of an effort under a cap of `maxOutputTokens`, at least 1,024 and below the cap; undefined when
 * the effort is `none` or unknown, or the cap leaves no room.
 */
export const toReasoningBudget = (effort: string, maxOutputTokens: number): number | undefined => {
  const share = Object.hasOwn(shares, effort) ? shares[effort] : undefined
  if (share === undefined || maxOutputTokens <= minBudget) return undefined
  const budget = Math.min(maxBudget, Math.max(minBudget, Math.floor(maxOutputTokens * share)))
  return Math.min(budget, maxOutputTokens - 1)
}

/** The smallest effort whose budget is not below `tokens`. */
export const toReasoningEffort = (tokens: number, maxOutputTokens: number): string => {
  const share = tokens / maxOutputTokens
  for (const [effort, limit] of Object.entries(shares)) if (share <= limit) return effort
  return "max"
}

/** From the least to the most. */
const ladder: ReadonlyArray<string> = ["none", "minimal", "low", "medium", "high", "xhigh", "max"]

/**
 * Rounds an effort to the nearest known one; of two equally near, to the lower one, which costs less. A request for
 * some reasoning is not rounded to `none` where the model has another effort. If `known` is undefined or empty, or a
 * word is on no ladder, the effort is returned unchanged.
 */
export const roundEffort = (effort: string, known: ReadonlyArray<string> | undefined): string => {
  if (known === undefined || known.length === 0 || known.includes(effort)) return effort
  const wanted = ladder.indexOf(effort)
  if (wanted === -1) return effort
  const thinking = known.filter((level) => level !== "none")
  let nearest: string | undefined
  let distance = Infinity
  for (const level of ladder) {
    if (!thinking.includes(level)) continue
    const away = Math.abs(ladder.indexOf(level) - wanted)
    if (away < distance) {
      nearest = level
      distance = away
    }
  }
  return nearest ?? thinking[0] ?? effort
}

/** Parameters of Decisions for models that think, whose thoughts count toward the cap of an answer. */
export const thinkingParameters: ReadonlyArray<string> = [
  "max_tokens",
  "reasoning",
  "structured_outputs"
]
