/** The health of the instance and its endpoints, kept up to date. */
import type { OperationResponse } from "@signalbox/core/contract"
import { type Loaded, useApi } from "../../api/useApi.ts"

export type HealthReport = OperationResponse<"reports.health">["data"]
export type EndpointReport = HealthReport["endpoints"][string]

export const useHealth = (): Loaded<HealthReport> => {
  const { data, ...loaded } = useApi<"reports.health">(
    "api/v1/signalbox/health",
    {},
    { every: 5_000 }
  )
  return { ...loaded, data: data?.data }
}
