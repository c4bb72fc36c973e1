/** Shared capacity that customers' own credentials bar. */
import type { Barred } from "../Barred.ts"
import { type Candidate, isByok } from "../Candidate.ts"
import type { HardRule } from "./HardRule.ts"

/** A provider is skipped rather than paid for with the host's credential. */
export const barredRules = ({ only, required }: Barred): ReadonlyArray<HardRule> => {
  const rules: Array<HardRule> = []
  if (only.size > 0) {
    rules.push(ownRule("byok_only", ({ endpoint }) => only.has(endpoint.provider.toLowerCase())))
  }
  if (required.size > 0) {
    rules.push(
      ownRule(
        "byok_required",
        ({ endpoint: { model, provider } }) =>
          required.get(provider.toLowerCase())?.has(model) === true
      )
    )
  }
  return rules
}

const ownRule = (
  rule: "byok_only" | "byok_required",
  bars: (candidate: Candidate) => boolean
): HardRule => ({
  rule,
  source: "credential",
  wanted: "a credential of the customer's own",
  fails: (candidate) => (isByok(candidate) || !bars(candidate) ? undefined : "shared capacity")
})
