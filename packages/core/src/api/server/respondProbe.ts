/** Responds to liveness and readiness probes. */
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { StorageReport } from "../../instance/StorageStatus.ts"
import { InvalidRequest } from "../../values/errors/RequestErrors.ts"
import { StoreUnavailable } from "../../values/errors/StoreUnavailable.ts"
import type { Operation } from "../contract/Operation.ts"
import type { ErrorResponse } from "../errors/ErrorResponse.ts"
import { Draining, UnknownOperation } from "../errors/HttpErrors.ts"
import { renderError } from "../errors/renderError.ts"
import { toErrorResponse } from "../errors/toErrorResponse.ts"
import { type IncomingRequest, hasMalformedEncoding } from "./IncomingRequest.ts"
import { toUnknownPath } from "./explainMount.ts"
import { findErrorRules } from "./findErrorRules.ts"
import { isServedPath } from "./routeTable.ts"

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

/** The error of requests that match no operation. */
export const toUnmatchedResponse = (request: IncomingRequest): ErrorResponse =>
  toErrorResponse(toUnmatchedError(request), findErrorRules(undefined, request))

const toUnmatchedError = ({ method, mount, url }: IncomingRequest) => {
  if (!isServedPath(method, url)) return toUnknownPath(url, mount)
  const [path = ""] = url.split("?")
  return hasMalformedEncoding(path)
    ? new InvalidRequest({ path: [], problem: "the path is not valid percent-encoding" })
    : new UnknownOperation({ method, path })
}
