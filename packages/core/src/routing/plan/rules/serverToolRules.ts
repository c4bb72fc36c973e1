/** Rules about tools that the provider runs: an endpoint may refuse them, and a spending limit needs their worst case. */
import type { Candidate } from "../../Candidate.ts"
import { isByok } from "../../Candidate.ts"
import type { Requirements } from "../../Requirements.ts"
import type { Constraint } from "../../restrictions/Constraint.ts"
import { listServerTools } from "../../serverTools/boundServerTools.ts"
import { findUnboundedTool } from "../../serverTools/findUnboundedTool.ts"
import type { HardRule } from "./HardRule.ts"

type ToolRequirements = Pick<Requirements, "serverTools" | "toolModels">

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
