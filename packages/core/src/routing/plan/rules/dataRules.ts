/** Rules about data: its collection and use, zero data retention (ZDR), and regions. */
import type { Price } from "../../../engine/catalog/endpoint/Price.ts"
import type { Candidate } from "../../Candidate.ts"
import type { Constraint } from "../../restrictions/Constraint.ts"
import { isInRegion } from "../isInRegion.ts"
import type { HardRule } from "./HardRule.ts"

export const makeDataCollectionRule = (source: string): HardRule => ({
  rule: "data_collection",
  source,
  wanted: "no data collection",
  findViolation: ({ endpoint: { data } }) =>
    data.collects ? "collects data" : data.trains ? "trains on data" : undefined
})

/** Data policies that depend on whether the endpoint is free. */
export const makeDataUseRules = ({
  denyFreeCollection,
  denyTraining = [],
  source
}: Constraint): ReadonlyArray<HardRule> => {
  const rules: Array<HardRule> = denyTraining.map((kind) => ({
    rule: "data_collection",
    source,
    wanted: `no ${kind} endpoint that trains`,
    findViolation: ({ endpoint: { data }, price }) =>
      data.trains && isFree(price) === (kind === "free") ? "trains on data" : undefined
  }))
  if (denyFreeCollection === true) {
    rules.push({
      rule: "data_collection",
      source,
      wanted: "no free endpoint that publishes",
      findViolation: ({ endpoint: { data }, price }) =>
        data.collects && isFree(price) ? "collects data" : undefined
    })
  }
  return rules
}

/** An unknown price does not make an endpoint free. */
const isFree = ({ approximate: { completion, prompt, request } }: Price): boolean =>
  prompt === 0 && completion === 0 && !(request > 0)

export const makeZdrRule = (source: string): HardRule => ({
  rule: "zdr",
  source,
  wanted: "zero data retention",
  findViolation: findRetention
})

export const makeAuthorZdrRules = ({ source, zdrAuthors }: Constraint): ReadonlyArray<HardRule> => {
  if (zdrAuthors === undefined) return []
  const { authors, isAllBut } = zdrAuthors
  const authorNames = `${isAllBut ? "all but " : ""}${authors.join(", ")}`
  return [
    {
      rule: "zdr",
      source,
      wanted: `zero data retention for models of ${authorNames}`,
      findViolation: (candidate) => {
        const [author = ""] = candidate.endpoint.model.toLowerCase().split("/")
        return authors.includes(author) === isAllBut ? undefined : findRetention(candidate)
      }
    }
  ]
}

/** The declaration of a credential's owner overrides the endpoint's. */
const findRetention = ({ credential, endpoint, retains }: Candidate): string | undefined => {
  if (retains === true) return "retains what it makes"
  const declared = credential?.declaredZdr ?? undefined
  if (declared ?? endpoint.zdr) return undefined
  return declared === undefined ? "retains data" : "its credential is declared to retain data"
}

export const makeRegionRules = ({ regions, source }: Constraint): ReadonlyArray<HardRule> =>
  regions === undefined
    ? []
    : [
        {
          rule: "data_region",
          source,
          wanted: `a place in ${regions.join(" or ")}`,
          findViolation: ({ endpoint: { region } }) =>
            isInRegion(regions, region) ? undefined : (region ?? "unknown place")
        }
      ]
