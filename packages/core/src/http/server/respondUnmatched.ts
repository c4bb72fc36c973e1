/** Responds to requests that match no operation. */
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import { InvalidRequest } from "../../values/errors/RequestErrors.ts"
import { UnknownOperation, UnknownPath } from "../errors/ServerErrors.ts"
import { renderError } from "../errors/renderError.ts"
import { toErrorResponse } from "../errors/toErrorResponse.ts"
import type { IncomingRequest } from "./IncomingRequest.ts"
import { hasMalformedEncoding } from "./percentEncoding.ts"
import { findErrorRules } from "./findErrorRules.ts"
import { isServedPath } from "./routeTable.ts"

export const respondUnmatched = (request: IncomingRequest): HttpServerResponse.HttpServerResponse =>
  renderError(
    toErrorResponse(
      toUnmatchedError(request.method, request.url),
      findErrorRules(undefined, request)
    ),
    request
  )

const toUnmatchedError = (method: string, url: string) => {
  if (!isServedPath(method, url)) return new UnknownPath()
  const [path = ""] = url.split("?")
  return hasMalformedEncoding(path)
    ? new InvalidRequest({ path: [], problem: "the path is not valid percent-encoding" })
    : new UnknownOperation({ method, path })
}
