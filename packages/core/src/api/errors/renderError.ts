/** The HTTP response of an error. */
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { writeMessagesErrorBody } from "../../dialects/messages/writeMessagesError.ts"
import { omitUndefined } from "../../values/ownFields.ts"
import type { ErrorResponse } from "./ErrorResponse.ts"
import { toMessagesErrorFacts } from "./errorEnvelopes.ts"
import { toGenerationIdHeader } from "./generationIdHeader.ts"

/** The request that failed. */
export interface FailedRequest {
  /** The id of its response and in the log. */
  readonly requestId?: string
  /** The id of its record; absent: it was not routed. */
  readonly generationId?: string | undefined
  /** The routing metadata, for callers that ask for it. */
  readonly routing?: Readonly<Record<string, unknown>> | undefined
}

/** A 500 reveals nothing. */
export const renderError = (
  error: ErrorResponse,
  { generationId, requestId, routing }: FailedRequest = {}
): HttpServerResponse.HttpServerResponse => {
  const isMessages = error.form === "messages"
  return HttpServerResponse.jsonUnsafe(
    {
      ...(isMessages
        ? writeMessagesErrorBody(toMessagesErrorFacts(error), generationId ?? null)
        : toBody(error)),
      ...(error.status === 500 ? undefined : routing)
    },
    {
      status: error.status,
      headers: {
        ...error.headers,
        ...(generationId === undefined ? undefined : toGenerationIdHeader(generationId)),
        // Where Anthropic's client looks for an id to report.
        ...(isMessages ? omitUndefined({ "request-id": generationId ?? requestId }) : undefined)
      }
    }
  )
}

const toBody = ({ code, message, metadata, status }: ErrorResponse) => ({
  error: {
    code: code ?? status,
    message,
    ...(metadata === undefined ? undefined : { metadata })
  }
})
