/** `only` and `ignore`: the providers that may and may not serve. */
import { makeSlugList } from "../SlugList.ts"
import type { HardRule } from "./HardRule.ts"

export const makeListRules = (
  source: string,
  only: ReadonlyArray<string> | undefined,
  ignore: ReadonlyArray<string> | undefined
): ReadonlyArray<HardRule> => {
  const rules: Array<HardRule> = []
  if (only !== undefined) {
    const allowed = makeSlugList(only)
    rules.push({
      rule: "only",
      source,
      wanted: `one of ${only.join(", ")}`,
      findViolation: (candidate) =>
        allowed.hasProvider(candidate) ? undefined : candidate.endpoint.tag
    })
  }
  if (ignore !== undefined && ignore.length > 0) {
    const ignored = makeSlugList(ignore)
    rules.push({
      rule: "ignore",
      source,
      wanted: `none of ${ignore.join(", ")}`,
      findViolation: (candidate) =>
        ignored.hasProvider(candidate) ? candidate.endpoint.tag : undefined
    })
  }
  return rules
}
