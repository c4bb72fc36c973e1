/** Responds to liveness and readiness probes. */
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { Draining } from "../errors/HttpErrors.ts"
import { toErrorResponse } from "../errors/toErrorResponse.ts"
import { renderError } from "../errors/renderError.ts"
import type { HttpOperation } from "./routeTable.ts"

/** Liveness stays true during shutdown, because a restart would cut off running requests. */
export const respondProbe = (
  { name }: Pick<HttpOperation, "name">,
  isReady: boolean
): HttpServerResponse.HttpServerResponse => {
  if (name === "live") return HttpServerResponse.jsonUnsafe({ status: "live" })
  return isReady
    ? HttpServerResponse.jsonUnsafe({ status: "ready" })
    : renderError(toErrorResponse(new Draining()))
}
