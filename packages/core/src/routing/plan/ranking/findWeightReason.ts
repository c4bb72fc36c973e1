/** Whether an endpoint of reduced weight takes part in a request. */
import type { HealthSnapshot } from "../../../engine/health/HealthSnapshot.ts"
import type { Demotion, Reason } from "../../Reason.ts"
import { drawByKey } from "./drawByKey.ts"

interface WeightDraw {
  readonly affinityKey?: number | undefined
  readonly random: () => number
}

/**
 * Undefined: it does. A conversation is drawn by its key, so that it stays where it is while the weight does, and a smaller
 * weight moves only those that it must.
 */
export const findWeightReason = (
  endpoint: string,
  controls: NonNullable<HealthSnapshot["controls"]>,
  { affinityKey, random }: WeightDraw
): Reason<Demotion> | undefined => {
  const weight = Object.hasOwn(controls, endpoint) ? (controls[endpoint]?.weight ?? 1) : 1
  if (weight >= 1) return undefined
  const drawn = affinityKey === undefined ? random() : drawByKey(affinityKey, `weight ${endpoint}`)
  return drawn < weight
    ? undefined
    : {
        rule: "weight",
        source: "operator",
        wanted: "to be drawn by the weight of the endpoint",
        found: `a weight of ${weight}`
      }
}
