/** Classifies the errors of Google's API. */
import { isContextLengthMessage } from "../../upstreams/failures/isContextLengthMessage.ts"
import { classifyResponse } from "../../upstreams/failures/toResponseFailure.ts"
import { type FailureKind, UpstreamFailure } from "../../upstreams/failures/UpstreamFailure.ts"
import { isObject } from "../../values/json/isObject.ts"
import { omitUndefined } from "../../values/omitUndefined.ts"
import { parseRetryAfter } from "../../values/parseRetryAfter.ts"
import { findField, findText } from "../readField.ts"
import type { Json } from "./geminiFields.ts"
import {
  geminiFailurePhrases,
  geminiFailureReasons,
  geminiFailureStatuses
} from "./geminiFailures.ts"

interface GeminiError {
  readonly status: string | undefined
  readonly message: string | undefined
  readonly reason: string | undefined
  /** Of a limit that is full again at another day. */
  readonly isDaily: boolean
  readonly retryMillis: number | undefined
}

/** The error in an answer or an event of status 200; undefined when it has none. */
export const findGeminiFailure = (
  json: Json,
  usage?: UpstreamFailure["usage"]
): UpstreamFailure | undefined => {
  if (findField(json, "error") === undefined) return undefined
  const error = parseError(json)
  return new UpstreamFailure({
    kind: classifyError(error) ?? "server_error",
    detail: (error.message ?? "the answer reports an error").slice(0, detailLimit),
    ...omitUndefined({ usage, retryAfterMillis: error.retryMillis })
  })
}

/** Characters that are kept, so that an upstream cannot fill logs and records. */
const detailLimit = 500

/** Classifies a response of an error status. Its body may be HTML or empty. */
export const toGeminiFailure = (
  status: number,
  headers: Readonly<Record<string, string | undefined>>,
  body: string,
  nowMillis: number
): UpstreamFailure => {
  const error = parseError(parseBody(body))
  return new UpstreamFailure({
    kind: classifyStatus(status, error),
    status,
    ...omitUndefined({
      detail: error.message?.slice(0, detailLimit),
      retryAfterMillis: parseRetryAfter(headers, nowMillis) ?? error.retryMillis
    })
  })
}

/** Streams that are not of server-sent events are lists, and so are their errors. */
const parseBody = (body: string): unknown => {
  try {
    const json: unknown = JSON.parse(body)
    return Array.isArray(json) ? json[0] : json
  } catch {
    return undefined
  }
}

const parseError = (json: unknown): GeminiError => {
  const body = isObject(json) ? json : {}
  const error = isObject(body["error"]) ? body["error"] : {}
  const { details: found } = error
  const details = Array.isArray(found) ? found.filter(isObject) : []
  const ofType = (type: string): ReadonlyArray<Json> =>
    details.filter((detail) => findText(detail, "@type")?.endsWith(`.${type}`) === true)
  const violations = ofType("QuotaFailure").flatMap(({ violations: each }) =>
    Array.isArray(each) ? each.filter(isObject) : []
  )
  const [info = {}] = ofType("ErrorInfo")
  const [retry = {}] = ofType("RetryInfo")
  return {
    status: findText(error, "status"),
    message: findText(error, "message") ?? findText(body, "error") ?? findText(body, "message"),
    reason: findText(info, "reason"),
    isDaily: violations.some((each) => /per_?day/i.test(findText(each, "quotaId") ?? "")),
    retryMillis: parseDuration(findText(retry, "retryDelay"))
  }
}

/** Such as `34s` or `1.5s`. */
const parseDuration = (text: string | undefined): number | undefined => {
  const seconds = /^(\d{1,9}(?:\.\d{1,9})?)s$/.exec(text ?? "")?.[1]
  return seconds === undefined ? undefined : Math.ceil(Number(seconds) * 1_000)
}

/** Of a server at fault only its status counts, unless it was the length of the request. */
const classifyStatus = (status: number, error: GeminiError): FailureKind => {
  if (status >= 500) {
    return isContextLengthMessage(error.message)
      ? "context_length"
      : classifyResponse(status, undefined)
  }
  const kind = classifyError(error)
  const byStatus = classifyResponse(status, undefined, error.message)
  // Of requests at fault and of limits, the error says more than the status.
  return byStatus === "bad_request" || byStatus === "rate_limited" ? (kind ?? byStatus) : byStatus
}

const classifyError = ({
  isDaily,
  message,
  reason,
  status
}: GeminiError): FailureKind | undefined => {
  const byReason = reason === undefined ? undefined : geminiFailureReasons.get(reason)
  if (byReason !== undefined) return byReason
  const byStatus = status === undefined ? undefined : geminiFailureStatuses.get(status)
  // There is nothing to wait for.
  if (byStatus === "rate_limited") return isDaily ? "credential_refused" : byStatus
  if (isContextLengthMessage(message)) return "context_length"
  if (byStatus === "bad_request" || byStatus === undefined) {
    const start = message?.slice(0, maxScannedCharacters) ?? ""
    for (const [phrase, kind] of geminiFailurePhrases) if (phrase.test(start)) return kind
  }
  return byStatus
}

/** Messages of upstreams may have any length. */
const maxScannedCharacters = 2_000
