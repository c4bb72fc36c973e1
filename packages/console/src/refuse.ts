/** The console's own errors, in the envelope of the HTTP API. */
import * as HttpServerResponse from "effect/http/HttpServerResponse"

export const refuse = (status: number, message: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.jsonUnsafe(
    { error: { code: status, message } },
    { status, headers: { "cache-control": "no-store" } }
  )
