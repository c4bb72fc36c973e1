/** What an upstream's error response means, by its status and, where it helps, its error code. */
import type * as Headers from "effect/http/Headers"
import { kindOfCode } from "./kindOfCode.ts"
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
  const retryAfterMillis = retryAfterOf(headers, nowMillis)
  return new UpstreamFailure({
    kind: kindOf(status, error.code),
    status,
    ...(error.message === undefined ? undefined : { detail: error.message.slice(0, detailLimit) }),
    ...(retryAfterMillis === undefined ? undefined : { retryAfterMillis })
  })
}

const kindOf = (status: number, code: string | undefined): FailureKind => {
  const named = code === undefined ? undefined : kindOfCode(code)
  if (named !== undefined && status < 500) return named
  const byStatus = kindByStatus.get(status)
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

interface UpstreamError {
  readonly code: string | undefined
  readonly message: string | undefined
}

/** Reads `{error: {code, type, message}}`, `{error}` or `{message}` without trusting any of it. */
const errorOf = (body: string): UpstreamError => {
  let parsed: unknown
  try {
    parsed = JSON.parse(body)
  } catch {
    return { code: undefined, message: undefined }
  }
  const error = property(parsed, "error")
  return {
    code: firstText(
      property(property(error, "metadata"), "error_type"),
      property(error, "code"),
      property(error, "type")
    ),
    message: firstText(property(error, "message"), error, property(parsed, "message"))
  }
}

const firstText = (...candidates: ReadonlyArray<unknown>): string | undefined =>
  candidates.find((candidate) => typeof candidate === "string")

const property = (value: unknown, key: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined

/** `retry-after-ms`, else `Retry-After` in seconds or as a date. */
const retryAfterOf = (headers: Headers.Headers, nowMillis: number): number | undefined => {
  const millis = headers["retry-after-ms"]
  if (millis !== undefined && delay.test(millis)) return Number(millis)
  const value = headers["retry-after"]
  if (value === undefined) return undefined
  if (delay.test(value)) return Number(value) * 1000
  const date = weekday.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMillis)
}

/** Short enough to stay finite. */
const delay = /^\d{1,12}(?:\.\d{1,12})?$/

/** Every HTTP date begins with one; `Date.parse` alone takes `-5` for a date. */
const weekday = /^(?:mon|tue|wed|thu|fri|sat|sun)/i
