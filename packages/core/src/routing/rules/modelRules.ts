/** Models that may be asked for, and that may not. */
import type { Constraint } from "../Constraint.ts"
import { modelList } from "../modelList.ts"
import type { HardRule } from "./HardRule.ts"

export const modelRules = ({
  ignoreModels,
  onlyModels,
  source
}: Constraint): ReadonlyArray<HardRule> => {
  const rules: Array<HardRule> = []
  if (onlyModels !== undefined) {
    const isAllowed = modelList(onlyModels)
    rules.push({
      rule: "allowed_models",
      source,
      wanted: `one of ${onlyModels.join(", ")}`,
      fails: (candidate) => (isAllowed(candidate) ? undefined : candidate.endpoint.model)
    })
  }
  if (ignoreModels !== undefined && ignoreModels.length > 0) {
    const isIgnored = modelList(ignoreModels)
    rules.push({
      rule: "ignored_models",
      source,
      wanted: `none of ${ignoreModels.join(", ")}`,
      fails: (candidate) => (isIgnored(candidate) ? candidate.endpoint.model : undefined)
    })
  }
  return rules
}
