/** An answer in JSON. */
import * as HttpServerResponse from "effect/http/HttpServerResponse"

export const jsonResponse = (body: unknown, status = 200): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.jsonUnsafe(body, { status })
