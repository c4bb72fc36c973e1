/** The console's own errors, in the envelope of the HTTP API. */
import * as HttpServerResponse from "effect/http/HttpServerResponse"

export const refuse = (
  status: number,
  message: string,
  /** For the page, which shows another way out. */
  reason?: "not_authorized"
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.jsonUnsafe(
    { error: { code: status, message, ...(reason === undefined ? undefined : { reason }) } },
    { status, headers: { "cache-control": "no-store" } }
  )
