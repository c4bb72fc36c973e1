/** Says who served an answer and how, for its price. */
import type { ChatMetadata } from "../engine/upstreams/ChatCapability.ts"
import type { ServedAs, ServedConditions } from "../values/usage/ModelUsage.ts"

type ServedReport = Pick<
  ChatMetadata,
  "inferenceGeo" | "model" | "serviceTier" | "speed" | "usageByModel"
>

/** The conditions that the provider reports, else the requested ones. */
export const toServedAs = (
  { inferenceGeo, model, serviceTier, speed, usageByModel }: ServedReport,
  requested: ServedConditions | undefined
): ServedAs | undefined => {
  if (
    serviceTier === undefined &&
    speed === undefined &&
    inferenceGeo === undefined &&
    usageByModel === undefined &&
    requested === undefined
  ) {
    return model === undefined ? undefined : { model }
  }
  const conditions = {
    ...requested,
    ...(serviceTier === undefined ? undefined : { service_tier: serviceTier }),
    ...(speed === undefined ? undefined : { speed }),
    ...(inferenceGeo === undefined ? undefined : { inference_geo: inferenceGeo })
  }
  return {
    conditions,
    ...(model === undefined ? undefined : { model }),
    ...(usageByModel === undefined ? undefined : { usageByModel })
  }
}
