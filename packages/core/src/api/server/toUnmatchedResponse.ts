/** The error of a request that matches no operation. */
import { InvalidRequest } from "../../values/errors/RequestErrors.ts"
import type { ErrorResponse } from "../errors/ErrorResponse.ts"
import { UnknownOperation } from "../errors/HttpErrors.ts"
import { toErrorResponse } from "../errors/toErrorResponse.ts"
import { type IncomingRequest, hasMalformedEncoding } from "./IncomingRequest.ts"
import { toUnknownPath } from "./explainMount.ts"
import { findErrorRules } from "./findErrorRules.ts"
import { isServedPath } from "./routeTable.ts"

export const toUnmatchedResponse = (request: IncomingRequest): ErrorResponse =>
  toErrorResponse(toUnmatchedError(request), findErrorRules(undefined, request))

const toUnmatchedError = ({ method, mount, url }: IncomingRequest) => {
  if (!isServedPath(method, url)) return toUnknownPath(url, mount)
  const [path = ""] = url.split("?")
  return hasMalformedEncoding(path)
    ? new InvalidRequest({ path: [], problem: "the path is not valid percent-encoding" })
    : new UnknownOperation({ method, path })
}
