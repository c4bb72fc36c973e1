/** Classifies an error response by its status and its error code. */
import { parseRetryAfter } from "../../../values/parseRetryAfter.ts"
import { isContextLengthMessage, parseErrorBody, parseUpstreamError } from "./parseUpstreamError.ts"
import { findFailureKind } from "./findFailureKind.ts"
import { getHeader, type TransportHeaders } from "../transport/UpstreamTransport.ts"
import { type FailureKind, type UpstreamFailure, makeFailure } from "./UpstreamFailure.ts"

/** `headers` have names in lower case; `nowMillis` is what a `retry-after` with a date is relative to. */
export const toResponseFailure = (
  status: number,
  headers: TransportHeaders,
  body: string,
  nowMillis: number
): UpstreamFailure => {
  const { code, message } = parseUpstreamError(parseErrorBody(body))
  return makeFailure({
    kind: classifyResponse(status, code, message),
    status,
    message,
    retryAfterMillis: parseRetryAfter(
      {
        "retry-after": getHeader(headers, "retry-after"),
        "retry-after-ms": getHeader(headers, "retry-after-ms")
      },
      nowMillis
    )
  })
}

/** Classifies a response by its error code, else by its status and message. */
export const classifyResponse = (
  status: number,
  code: string | undefined,
  message?: string
): FailureKind => {
  const kindByCode = code === undefined ? undefined : findFailureKind(code)
  if (kindByCode !== undefined && status < 500) return kindByCode
  const byStatus = kindByStatus.get(status)
  if (byStatus === "bad_request" && isContextLengthMessage(message)) return "context_length"
  if (byStatus !== undefined) return byStatus
  if (status >= 500) return "server_error"
  // An unexpected 4xx says more about the provider than about the request.
  return status >= 400 ? "not_served" : "invalid_answer"
}

const kindByStatus: ReadonlyMap<number, FailureKind> = new Map([
  [400, "bad_request"],
  [413, "bad_request"],
  [422, "bad_request"],
  [401, "credential_refused"],
  [402, "credential_refused"],
  [403, "forbidden"],
  [451, "forbidden"],
  [404, "not_served"],
  // The server gave up, or was busy with another request: what it serves is not in question.
  [408, "timeout"],
  [409, "server_error"],
  [499, "server_error"],
  [429, "rate_limited"],
  [503, "overloaded"],
  [529, "overloaded"],
  [504, "timeout"],
  [524, "timeout"]
])
