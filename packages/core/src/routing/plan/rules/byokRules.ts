/** Rejects shared capacity that customers' own credentials exclude. */
import type { ByokExclusions } from "../../restrictions/ByokExclusions.ts"
import { type Candidate, isByok } from "../../Candidate.ts"
import type { HardRule } from "./HardRule.ts"

/** A provider is skipped rather than paid for with the host's credential. */
export const makeByokRules = ({ only, required }: ByokExclusions): ReadonlyArray<HardRule> => {
  const rules: Array<HardRule> = []
  if (only.size > 0) {
    rules.push(
      makeByokRule("byok_only", ({ endpoint }) => only.has(endpoint.provider.toLowerCase()))
    )
  }
  if (required.size > 0) {
    rules.push(
      makeByokRule(
        "byok_required",
        ({ endpoint: { model, provider } }) =>
          required.get(provider.toLowerCase())?.has(model) === true
      )
    )
  }
  return rules
}

const makeByokRule = (
  rule: "byok_only" | "byok_required",
  isExcluded: (candidate: Candidate) => boolean
): HardRule => ({
  rule,
  source: "credential",
  wanted: "a credential of the customer's own",
  findViolation: (candidate) =>
    isByok(candidate) || !isExcluded(candidate) ? undefined : "shared capacity"
})
