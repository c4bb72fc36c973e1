/** A refusal as it leaves: the error envelope with its status and headers. */
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { ErrorResponse } from "./ErrorResponse.ts"

/** `routing` says how far the request got, to a caller that asked for it; a 500 tells nothing. */
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
