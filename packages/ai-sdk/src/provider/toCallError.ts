/** Errors of Signalbox as errors of the AI SDK. */
import { APICallError } from "@ai-sdk/provider"
import type { SignalboxError } from "@signalbox/core"
import { type RouteLog, toJson } from "./callMetadata.ts"

/**
 * An error of Signalbox becomes an `APICallError` whose `data` is the error envelope of the HTTP API, with the
 * `service_metadata` of the route. Other errors, such as the reason of an aborted call, stay what they are.
 */
export const toCallError = (
  error: unknown,
  operation: string,
  request: unknown,
  route: RouteLog
): unknown => {
  if (!isSignalboxError(error)) return error
  const { headers, message, metadata, status } = error
  const data = toJson({
    error: { code: status, message, metadata },
    service_metadata: route.metadata
  })
  return new APICallError({
    message,
    // No request is made: it names the operation.
    url: `signalbox:${operation}`,
    requestBodyValues: request,
    statusCode: status,
    responseHeaders: {
      ...headers,
      ...(route.generationId === undefined ? undefined : { "x-generation-id": route.generationId })
    },
    responseBody: JSON.stringify(data),
    cause: error,
    isRetryable: isRetryable(error),
    data
  })
}

/** By name, because each copy of the core has a class of its own. */
const isSignalboxError = (error: unknown): error is SignalboxError =>
  error instanceof Error && error.name === "SignalboxError" && "status" in error

/**
 * The router has tried every endpoint already, so trying again makes sense only when the error says after how many seconds:
 * for the rate limit of the caller, for providers that said so, for the storage. The AI SDK waits for less than a minute.
 * The error of an instance that closes, which never comes back, has no cause.
 */
const isRetryable = ({ cause, headers }: SignalboxError): boolean =>
  cause !== undefined && Number(headers["retry-after"]) < 60
