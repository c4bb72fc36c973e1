/** Finds out whether a request is rejected only because of its length. */
import type { Requirements } from "../Requirements.ts"
import type { Exclusion, RejectedCandidate } from "../Reason.ts"
import { ContextLengthExceeded } from "../RoutingErrors.ts"

/** Undefined unless an endpoint was rejected for the length of the request alone. */
export const findContextLengthExceeded = (
  models: ReadonlyArray<string>,
  rejected: ReadonlyArray<RejectedCandidate>,
  { inputTokens, outputTokens }: Requirements
): ContextLengthExceeded | undefined => {
  const limits = rejected.flatMap(({ candidate: { endpoint }, reasons }) => {
    const rules = reasons.map(({ rule }) => rule)
    const { contextLength = Infinity, maxPromptTokens = Infinity } = endpoint
    return rules.includes("context_length") && rules.every((rule) => lengthRules.has(rule))
      ? [Math.min(contextLength, maxPromptTokens)]
      : []
  })
  return limits.length === 0
    ? undefined
    : new ContextLengthExceeded({
        models,
        inputTokens,
        outputTokens,
        limit: Math.max(...limits),
        rejected
      })
}

const lengthRules: ReadonlySet<Exclusion> = new Set(["context_length", "max_completion_tokens"])
