/** `only` and `ignore`: providers that may serve, and that may not. */
import { slugList } from "../slugList.ts"
import type { HardRule } from "./HardRule.ts"

export const listRules = (
  source: string,
  only: ReadonlyArray<string> | undefined,
  ignore: ReadonlyArray<string> | undefined
): ReadonlyArray<HardRule> => {
  const rules: Array<HardRule> = []
  if (only !== undefined) {
    const allowed = slugList(only)
    rules.push({
      rule: "only",
      source,
      wanted: `one of ${only.join(", ")}`,
      fails: (candidate) => (allowed.reaches(candidate) ? undefined : candidate.endpoint.tag)
    })
  }
  if (ignore !== undefined && ignore.length > 0) {
    const ignored = slugList(ignore)
    rules.push({
      rule: "ignore",
      source,
      wanted: `none of ${ignore.join(", ")}`,
      fails: (candidate) => (ignored.reaches(candidate) ? candidate.endpoint.tag : undefined)
    })
  }
  return rules
}
