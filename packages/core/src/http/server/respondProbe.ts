/** Answers what load balancers ask: whether the process lives, and whether it wants requests. */
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { Draining } from "../errors/HttpErrors.ts"
import { toErrorResponse } from "../errors/toErrorResponse.ts"
import { renderError } from "../errors/renderError.ts"
import type { HttpOperation } from "./routeTable.ts"

/** A process that shuts down is alive: restarting it would cut what it still serves. */
export const respondProbe = (
  { name }: Pick<HttpOperation, "name">,
  isReady: boolean
): HttpServerResponse.HttpServerResponse => {
  if (name === "live") return HttpServerResponse.jsonUnsafe({ status: "live" })
  return isReady
    ? HttpServerResponse.jsonUnsafe({ status: "ready" })
    : renderError(toErrorResponse(new Draining()))
}
