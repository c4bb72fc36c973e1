/** Room for the request, and for its answer. */
import type { Demand } from "../Demand.ts"
import { type HardRule, request } from "./HardRule.ts"

export const contextRule = ({ inputTokens, outputTokens }: Demand): HardRule => ({
  rule: "context_length",
  source: request,
  wanted: `room for about ${inputTokens + outputTokens} tokens`,
  fails: ({ endpoint: { contextLength = Infinity, maxPromptTokens = Infinity } }) => {
    if (inputTokens > maxPromptTokens) return `${maxPromptTokens} tokens of prompt`
    return inputTokens + outputTokens <= contextLength ? undefined : String(contextLength)
  }
})

export const outputRules = ({ outputTokens }: Demand): ReadonlyArray<HardRule> =>
  outputTokens === 0
    ? []
    : [
        {
          rule: "max_completion_tokens",
          source: request,
          wanted: `an answer of ${outputTokens} tokens`,
          fails: ({ endpoint: { maxCompletionTokens } }) =>
            maxCompletionTokens === undefined || outputTokens <= maxCompletionTokens
              ? undefined
              : String(maxCompletionTokens)
        }
      ]
