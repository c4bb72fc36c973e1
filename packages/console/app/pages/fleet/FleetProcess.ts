/** A process of the fleet, as the HTTP API lists it. */
import type { OperationResponse } from "@signalbox/core/contract"

export type FleetProcess = OperationResponse<"live.listProcesses">["data"]["processes"][number]
