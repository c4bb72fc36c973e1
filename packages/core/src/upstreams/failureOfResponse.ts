/** What an upstream's error response means, by its status and, where it helps, its error code. */
import type * as Headers from "effect/http/Headers"
import { retryAfterMillis } from "../values/retryAfterMillis.ts"
import { errorIn, type UpstreamError } from "./errorIn.ts"
import { kindOfCode } from "./kindOfCode.ts"
import { saysContextLength } from "./saysContextLength.ts"
import { type FailureKind, UpstreamFailure } from "./UpstreamFailure.ts"

/** Clipped so that an upstream cannot fill our logs and records. */
const detailLimit = 500

export const failureOfResponse = (
  status: number,
  headers: Headers.Headers,
  body: string,
  nowMillis: number
): UpstreamFailure => {
  const error = errorOf(body)
  const waitMillis = retryAfterMillis(headers, nowMillis)
  return new UpstreamFailure({
    kind: kindOf(status, error.code, error.message),
    status,
    ...(error.message === undefined ? undefined : { detail: error.message.slice(0, detailLimit) }),
    ...(waitMillis === undefined ? undefined : { retryAfterMillis: waitMillis })
  })
}

/** What a status means, and beside it a machine-readable code, or words where there is none that says more. */
export const kindOf = (status: number, code: string | undefined, message?: string): FailureKind => {
  const named = code === undefined ? undefined : kindOfCode(code)
  if (named !== undefined && status < 500) return named
  const byStatus = kindByStatus.get(status)
  if (byStatus === "bad_request" && saysContextLength(message)) return "context_length"
  if (byStatus !== undefined) return byStatus
  if (status >= 500) return "server_error"
  // A 4xx nobody expects says more about this provider than about the request.
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
  [429, "rate_limited"],
  [503, "overloaded"],
  [529, "overloaded"],
  [504, "timeout"],
  [524, "timeout"]
])

const errorOf = (body: string): UpstreamError => {
  try {
    return errorIn(JSON.parse(body))
  } catch {
    return errorIn(undefined)
  }
}
