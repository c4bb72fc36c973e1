/** Zero data retention: of everything, or of the models of some authors. */
import type { Candidate } from "../Candidate.ts"
import type { Constraint } from "../Constraint.ts"
import type { HardRule } from "./HardRule.ts"

export const zdrRule = (source: string): HardRule => ({
  rule: "zdr",
  source,
  wanted: "zero data retention",
  fails: retention
})

export const zdrOfRules = ({ source, zdrOf }: Constraint): ReadonlyArray<HardRule> => {
  if (zdrOf === undefined) return []
  const { authors, isAllBut } = zdrOf
  const named = authors.join(", ")
  return [
    {
      rule: "zdr",
      source,
      wanted: `zero data retention for models of ${isAllBut ? `all but ${named}` : named}`,
      fails: (candidate) => {
        const [author = ""] = candidate.endpoint.model.toLowerCase().split("/")
        return authors.includes(author) === isAllBut ? undefined : retention(candidate)
      }
    }
  ]
}

/** What the owner of a credential says of its account stands for what the endpoint says. */
const retention = ({ credential, endpoint }: Candidate): string | undefined => {
  const declared = credential?.declaredZdr ?? undefined
  if (declared ?? endpoint.zdr) return undefined
  return declared === undefined ? "retains data" : "its credential is declared to retain data"
}
