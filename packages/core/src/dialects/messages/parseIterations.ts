/** Parses the untrusted iterations of Anthropic's usage: one for each time that a model read and wrote for an answer. */
import type { ModelUsage } from "../../values/usage/ModelUsage.ts"
import { type TokenUsage, sumUsage } from "../../values/usage/TokenUsage.ts"
import { isObject } from "../../values/json/guards.ts"

/** The usage of a whole answer, and what of it was used by models that the iterations name. */
export interface IterationsUsage {
  readonly usage: TokenUsage
  readonly byModel: ReadonlyArray<ModelUsage>
}

/**
 * The counts at the top are those of the model that answered. The list beside them has the counts of the advisor, which
 * is another model (https://platform.claude.com/docs/en/agents-and-tools/tool-use/advisor-tool), of a compaction
 * (https://platform.claude.com/docs/en/build-with-claude/compaction-threshold), and of models that declined before a
 * fallback answered (https://platform.claude.com/cookbook/fable-5-fallback-billing-guide).
 */
export const addIterations = (
  top: TokenUsage,
  iterations: unknown,
  parseTokens: (usage: unknown) => TokenUsage | undefined
): IterationsUsage => {
  if (!Array.isArray(iterations)) return { usage: top, byModel: [] }
  const list: ReadonlyArray<unknown> = iterations
  const fallbackAt = list.findLastIndex(
    (each) => isObject(each) && each["type"] === "fallback_message"
  )
  let usage = top
  const byModel: Array<ModelUsage> = []
  for (let index = 0; index < Math.min(list.length, maxIterations); index++) {
    const each = list[index]
    if (!isObject(each)) continue
    const isBeside = besideTop.has(each["type"]) || index < fallbackAt
    const tokens = isBeside ? parseTokens(each) : index === fallbackAt ? top : undefined
    if (tokens === undefined) continue
    const part = { ...tokens, requests: 0 }
    if (isBeside) usage = sumUsage(usage, part)
    const { model } = each
    if (typeof model === "string" && model !== "") byModel.push({ model, usage: part })
  }
  return { usage, byModel }
}

const besideTop: ReadonlySet<unknown> = new Set(["advisor_message", "compaction"])

/** More than a provider's loop of tools has. */
const maxIterations = 1_024
