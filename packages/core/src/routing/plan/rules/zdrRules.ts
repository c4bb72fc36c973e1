/** Zero data retention, for all models or for those of some authors. */
import type { Candidate } from "../../Candidate.ts"
import type { Constraint } from "../../restrictions/Constraint.ts"
import type { HardRule } from "./HardRule.ts"

export const makeZdrRule = (source: string): HardRule => ({
  rule: "zdr",
  source,
  wanted: "zero data retention",
  findViolation: findRetention
})

export const makeAuthorZdrRules = ({ source, zdrAuthors }: Constraint): ReadonlyArray<HardRule> => {
  if (zdrAuthors === undefined) return []
  const { authors, isAllBut } = zdrAuthors
  const authorNames = authors.join(", ")
  return [
    {
      rule: "zdr",
      source,
      wanted: `zero data retention for models of ${isAllBut ? `all but ${authorNames}` : authorNames}`,
      findViolation: (candidate) => {
        const [author = ""] = candidate.endpoint.model.toLowerCase().split("/")
        return authors.includes(author) === isAllBut ? undefined : findRetention(candidate)
      }
    }
  ]
}

/** The declaration of a credential's owner overrides that of the endpoint. */
const findRetention = ({ credential, endpoint, retains }: Candidate): string | undefined => {
  if (retains === true) return "retains what it makes"
  const declared = credential?.declaredZdr ?? undefined
  if (declared ?? endpoint.zdr) return undefined
  return declared === undefined ? "retains data" : "its credential is declared to retain data"
}
