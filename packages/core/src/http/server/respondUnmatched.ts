/** Answers a request that asks for no operation there is. */
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import { notFoundResponse } from "../errors/toErrorResponse.ts"
import { malformedPathResponse, toNotServedResponse } from "./unmatchedResponses.ts"
import { renderError } from "../errors/renderError.ts"
import { hasMalformedEncoding } from "./percentEncoding.ts"
import { isServedPath } from "./routeTable.ts"

export const respondUnmatched: Effect.Effect<
  HttpServerResponse.HttpServerResponse,
  never,
  HttpServerRequest.HttpServerRequest
> = Effect.map(HttpServerRequest.HttpServerRequest, ({ method, url }) => {
  const [path = ""] = url.split("?")
  if (!isServedPath(method, url)) return renderError(notFoundResponse)
  return renderError(
    hasMalformedEncoding(path) ? malformedPathResponse : toNotServedResponse(method, path)
  )
})
