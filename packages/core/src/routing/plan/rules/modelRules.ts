/** The models that guardrails allow and ignore. */
import type { Constraint } from "../../restrictions/Constraint.ts"
import { makeModelMatcher } from "../makeModelMatcher.ts"
import type { HardRule } from "./HardRule.ts"

export const makeModelRules = ({
  ignoreModels,
  onlyModels,
  source
}: Constraint): ReadonlyArray<HardRule> => {
  const rules: Array<HardRule> = []
  if (onlyModels !== undefined) {
    const isAllowed = makeModelMatcher(onlyModels)
    rules.push({
      rule: "allowed_models",
      source,
      wanted: `one of ${onlyModels.join(", ")}`,
      findViolation: (candidate) => (isAllowed(candidate) ? undefined : candidate.endpoint.model)
    })
  }
  if (ignoreModels !== undefined && ignoreModels.length > 0) {
    const isIgnored = makeModelMatcher(ignoreModels)
    rules.push({
      rule: "ignored_models",
      source,
      wanted: `none of ${ignoreModels.join(", ")}`,
      findViolation: (candidate) => (isIgnored(candidate) ? candidate.endpoint.model : undefined)
    })
  }
  return rules
}
