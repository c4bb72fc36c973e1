/** A refusal as it leaves: the error envelope with its status and headers. */
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { Refusal } from "./Refusal.ts"

export const refuse = ({
  headers,
  message,
  metadata,
  status
}: Refusal): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.jsonUnsafe(
    { error: { code: status, message, ...(metadata === undefined ? undefined : { metadata }) } },
    { status, ...(headers === undefined ? undefined : { headers }) }
  )
