/** Parses how much a request to Anthropic's API lets the model think. */
import * as Result from "effect/Result"
import type { ReasoningSettings } from "../../conversation/Conversation.ts"
import { omitUndefined } from "../../values/omitUndefined.ts"
import type { UntranslatableRequest } from "../UntranslatableRequest.ts"
import { findText, isEmpty, omitFields, readCount, readObject, readText } from "../readField.ts"

type Json = Readonly<Record<string, unknown>>

export interface ThinkingSettings {
  readonly reasoning?: ReasoningSettings
  /** What `thinking` says beyond the neutral form; null: an effort without `thinking`, which neutrally implies it. */
  readonly extraThinking?: Json | null
}

export const parseThinkingSettings = (
  body: Json
): Result.Result<ThinkingSettings, UntranslatableRequest> =>
  Result.gen(function* () {
    const thinking = yield* readObject(body, "thinking")
    const output = (yield* readObject(body, "output_config")) ?? {}
    const effort = omitUndefined({ effort: yield* readText(output, "effort", ["output_config"]) })
    if (thinking === undefined) {
      return isEmpty(effort) ? {} : { reasoning: effort, extraThinking: null }
    }
    const maxTokens = yield* readCount(thinking, "budget_tokens", ["thinking"])
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
        // Without a wish, summaries are shown: https://openrouter.ai/docs/use-cases/reasoning-tokens.
        return {
          reasoning: { ...effort, isEnabled: true, isExcluded: display === "omitted" },
          ...rest
        }
      case "disabled":
        return { reasoning: { ...effort, isEnabled: false }, ...rest }
      default:
        return { reasoning: { ...effort, isEnabled: true }, extraThinking: thinking }
    }
  })

const thinkingFields: ReadonlySet<string> = new Set(["type", "budget_tokens", "display"])
