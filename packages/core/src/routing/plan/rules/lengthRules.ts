/** Room for the request, and for its answer. */
import type { Requirements } from "../../Requirements.ts"
import { type HardRule, requestSource } from "./HardRule.ts"

export const makeContextRule = ({ inputTokens, outputTokens }: Requirements): HardRule => ({
  rule: "context_length",
  source: requestSource,
  wanted: `room for about ${inputTokens + outputTokens} tokens`,
  findViolation: ({ endpoint: { contextLength = Infinity, maxPromptTokens = Infinity } }) => {
    if (inputTokens > maxPromptTokens) return `${maxPromptTokens} tokens of prompt`
    return inputTokens + outputTokens <= contextLength ? undefined : String(contextLength)
  }
})

export const makeOutputRules = ({ outputTokens }: Requirements): ReadonlyArray<HardRule> =>
  outputTokens === 0
    ? []
    : [
        {
          rule: "max_completion_tokens",
          source: requestSource,
          wanted: `an answer of ${outputTokens} tokens`,
          findViolation: ({ endpoint: { maxCompletionTokens } }) =>
            maxCompletionTokens === undefined || outputTokens <= maxCompletionTokens
              ? undefined
              : String(maxCompletionTokens)
        }
      ]
