/** Rules about the models that tools of a request name: the lists of guardrails hold for them too. */
import { shortenList } from "../../../values/validation/text.ts"
import { type Candidate, isByok } from "../../Candidate.ts"
import type { Requirements, ResolvedToolModel, ToolModelsByDialect } from "../../Requirements.ts"
import type { Constraint } from "../../restrictions/Constraint.ts"
import { listServerTools, listToolModels } from "../../serverTools/boundServerTools.ts"
import { findUnboundedTool } from "../../serverTools/resolveToolModels.ts"
import type { HardRule } from "./HardRule.ts"
import { makeSlugMatcher } from "./modelRules.ts"

type ToolRequirements = Pick<Requirements, "serverTools" | "toolModels">

/** Rules about tools that the provider runs: an endpoint may refuse them, and a spending limit needs their worst case. */
export const makeServerToolRules = (
  requirements: ToolRequirements,
  constraints: ReadonlyArray<Constraint>
): ReadonlyArray<HardRule> => [
  {
    rule: "server_tools",
    source: "endpoint",
    wanted: "a request without tools that the provider runs, because serverTools is false",
    findViolation: (candidate) => {
      if (candidate.endpoint.serverTools !== false) return undefined
      const [tool] = listServerTools(requirements.serverTools, candidate)
      return tool === undefined ? undefined : `${tool.path} (${tool.type})`
    }
  },
  ...constraints.flatMap((constraint) => makeBoundRule(requirements, constraint))
]

/** Whether a candidate's model uses tools of the provider without being asked. */
export const searchesUnasked = ({ endpoint: { serverTools } }: Candidate): boolean =>
  serverTools !== false && serverTools.unasked === true

const makeBoundRule = (
  requirements: ToolRequirements,
  { budgeted, countsByok, source }: Constraint
): ReadonlyArray<HardRule> =>
  budgeted === true
    ? [
        {
          rule: "server_tools",
          source,
          wanted: "a known worst case of tools that the provider runs, because spending is limited",
          findViolation: (candidate) =>
            isByok(candidate) && countsByok !== true
              ? undefined
              : findUnboundedTool(candidate, requirements)
        }
      ]
    : []

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
      findViolation: (candidate) => {
        const found = listToolModels(byDialect, candidate)?.find(isForbidden)
        return found === undefined ? undefined : `${found.name} at ${found.path}`
      }
    }
  ]
}
