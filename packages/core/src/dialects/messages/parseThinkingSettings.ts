/** Parses how much a request to Anthropic's API lets the model think. */
import type { ReasoningSettings } from "../../conversation/Conversation.ts"
import {
  findText,
  isEmpty,
  omitFields,
  readCount,
  readObject,
  readText,
  type RequestProblems
} from "../UntranslatableRequest.ts"

type Json = Readonly<Record<string, unknown>>

export interface ThinkingSettings {
  readonly reasoning?: ReasoningSettings
  /**
   * Fields of `thinking` without a neutral form; null: an effort without `thinking`, which the neutral form implies.
   */
  readonly extraThinking?: Json | null
}

export const parseThinkingSettings = (body: Json, problems: RequestProblems): ThinkingSettings => {
  const thinking = problems.take(readObject(body, "thinking"))
  const output = problems.take(readObject(body, "output_config"))
  const wish = output && problems.take(readText(output, "effort", ["output_config"]))
  const effort = wish === undefined ? undefined : { effort: wish }
  if (thinking === undefined) {
    return effort === undefined ? {} : { reasoning: effort, extraThinking: null }
  }
  const maxTokens = problems.take(readCount(thinking, "budget_tokens", ["thinking"]))
  const display = findText(thinking, "display")
  const extra = omitFields(thinking, thinkingFields)
  const rest = isEmpty(extra) ? undefined : { extraThinking: extra }
  switch (thinking["type"]) {
    case "enabled":
      return {
        reasoning: {
          ...effort,
          ...(maxTokens === undefined ? { isEnabled: true } : { maxTokens }),
          ...(display === undefined ? undefined : { isExcluded: display === "omitted" })
        },
        ...rest
      }
    case "adaptive":
      // By default, summaries are shown: https://openrouter.ai/docs/use-cases/reasoning-tokens.
      return {
        reasoning: { ...effort, isEnabled: true, isExcluded: display === "omitted" },
        ...rest
      }
    case "disabled":
      return { reasoning: { ...effort, isEnabled: false }, ...rest }
    default:
      return { reasoning: { ...effort, isEnabled: true }, extraThinking: thinking }
  }
}

const thinkingFields: ReadonlySet<string> = new Set(["type", "budget_tokens", "display"])
