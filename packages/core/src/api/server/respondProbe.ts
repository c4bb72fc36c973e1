/** Responds to liveness and readiness probes. */
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { StorageReport } from "../../instance/StorageStatus.ts"
import { StoreUnavailable } from "../../values/errors/StoreUnavailable.ts"
import type { Operation } from "../contract/Operation.ts"
import { Draining } from "../errors/HttpErrors.ts"
import { renderError } from "../errors/renderError.ts"
import { toErrorResponse } from "../errors/toErrorResponse.ts"

export const isProbe = ({ group }: Operation): boolean => group === "probes"

/**
 * Liveness stays true during shutdown, because a restart would cut off running requests, and without storage, because a
 * restart would not bring it back.
 */
export const respondProbe = (
  { name }: Pick<Operation, "name">,
  isReady: boolean,
  outage?: StorageReport["outage"]
): HttpServerResponse.HttpServerResponse => {
  if (name === "live") return HttpServerResponse.jsonUnsafe({ status: "live" })
  if (!isReady) return renderError(toErrorResponse(new Draining()))
  return outage === undefined
    ? HttpServerResponse.jsonUnsafe({ status: "ready" })
    : renderError(toErrorResponse(new StoreUnavailable({ cause: outage.reason })))
}
