/** Data policies of endpoints. */
import type { Price } from "../../../catalog/Price.ts"
import type { Constraint } from "../../restrictions/Constraint.ts"
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
