/** The HTTP response of an error. */
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { ErrorResponse } from "./ErrorResponse.ts"

/** `routing` is the routing metadata, for callers that ask for it. A 500 reveals nothing. */
export const renderError = (
  { code, headers, message, metadata, status }: ErrorResponse,
  routing?: Readonly<Record<string, unknown>>
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.jsonUnsafe(
    {
      error: {
        code: code ?? status,
        message,
        ...(metadata === undefined ? undefined : { metadata })
      },
      ...(status === 500 ? undefined : routing)
    },
    { status, ...(headers === undefined ? undefined : { headers }) }
  )
