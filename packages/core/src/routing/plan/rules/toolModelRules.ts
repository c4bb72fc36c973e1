/** Rules about the models that tools of a request name: the lists of guardrails hold for them too. */
import type { ToolModelsByDialect, ResolvedToolModel } from "../../Requirements.ts"
import type { Constraint } from "../../restrictions/Constraint.ts"
import { shortenList } from "../../../values/validation/shorten.ts"
import type { HardRule } from "./HardRule.ts"
import { makeSlugMatcher } from "./modelRules.ts"

/** A name that stands for no model of the catalog cannot be checked, so a list excludes it. */
export const makeToolModelRules = (
  { ignoreModels = [], onlyModels, source }: Constraint,
  byDialect: ToolModelsByDialect
): ReadonlyArray<HardRule> => {
  if (onlyModels === undefined && ignoreModels.length === 0) return []
  const isAllowed = onlyModels === undefined ? undefined : makeSlugMatcher(onlyModels)
  const isIgnored = makeSlugMatcher(ignoreModels)
  const isForbidden = ({ name, slugs = [] }: ResolvedToolModel): boolean => {
    if (slugs.length === 0) return isAllowed === undefined || !isAllowed(name) || isIgnored(name)
    return (
      slugs.some((names) => isIgnored(...names)) ||
      (isAllowed !== undefined && !slugs.some((names) => isAllowed(...names)))
    )
  }
  return [
    {
      rule: onlyModels === undefined ? "ignored_models" : "allowed_models",
      source,
      wanted:
        onlyModels === undefined
          ? `none of ${shortenList(ignoreModels)} as the model of a tool or a fallback`
          : `one of ${shortenList(onlyModels)} as the model of a tool or a fallback`,
      findViolation: ({ dialect = "chat" }) => {
        const found = byDialect[dialect]?.find(isForbidden)
        return found === undefined ? undefined : `${found.name} at ${found.path}`
      }
    }
  ]
}
