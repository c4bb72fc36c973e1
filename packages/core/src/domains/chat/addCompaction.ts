/** The worst case of a chat that lets the provider compact the conversation before it answers. */
import type { Dialect, NativeRequest } from "../../conversation/Dialect.ts"
import { isObject, toList } from "../../values/json/guards.ts"
import type { TokenUsage } from "../../values/usage/TokenUsage.ts"

/**
 * The model reads the conversation once more and writes a summary of any length, which the cap of the answer does not bound
 * and which is charged beside it (https://platform.claude.com/docs/en/build-with-claude/compaction,
 * https://developers.openai.com/api/docs/guides/compaction).
 */
export const addCompaction = (
  sent: TokenUsage,
  native: NativeRequest | undefined,
  maxCompletionTokens: number
): TokenUsage => {
  const threshold = native === undefined ? undefined : findThreshold(native)
  return threshold === undefined || sent.inputTokens < threshold
    ? sent
    : {
        ...sent,
        inputTokens: sent.inputTokens * 2,
        outputTokens: sent.outputTokens + maxCompletionTokens
      }
}

/** The prompt in tokens from which it is compacted; undefined: never. */
const findThreshold = ({ body, dialect }: NativeRequest): number | undefined => {
  const { context_management: wanted } = body
  const edits = isObject(wanted) ? wanted["edits"] : wanted
  for (const edit of toList(edits)) {
    if (!isObject(edit) || !String(edit["type"]).startsWith("compact")) continue
    const { compact_threshold: threshold, trigger } = edit
    const value = isObject(trigger) ? trigger["value"] : threshold
    return typeof value === "number" ? value : defaultThresholds[dialect]
  }
  return undefined
}

/** OpenAI names none. */
const defaultThresholds: Readonly<Partial<Record<Dialect, number>>> = {
  messages: 150_000,
  responses: 0
}
