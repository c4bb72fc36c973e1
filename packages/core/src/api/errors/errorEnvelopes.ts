/** The four envelopes of errors. */
import * as Predicate from "effect/Predicate"
import * as Record from "effect/Record"
import type { MessagesErrorFacts } from "../../dialects/messages/writeMessagesError.ts"
import type { InternChatReason } from "../../domains/interns/chat/InternChatRequest.ts"
import { type ErrorFacts, isRetryable, turnFailed } from "./ErrorFacts.ts"
import type { ErrorResponse, ErrorStatus } from "./ErrorResponse.ts"
import { toHeaders, toRetryAfterHeader } from "./responseHeaders.ts"

/** OpenRouter's error envelope, which all operations use except the interns'. */
export const toOpenRouterEnvelope = (facts: ErrorFacts): ErrorResponse => {
  const { availability, details, message, path, reason, retryable, status, type } = facts
  return makeErrorResponse({
    status,
    message,
    metadata: {
      error_type: type,
      availability: availability && {
        code: availability.code,
        retryable: isRetryable(facts),
        ...Record.filter(
          { requested_models: availability.models, excluded_by: availability.excludedBy },
          Predicate.isNotUndefined
        )
      },
      reason,
      retryable,
      path,
      ...details
    },
    headers: toHeaders(facts)
  })
}

/** The error envelope of interns: `code` is a text for most statuses, and `metadata` has a reason or is absent. */
export const toInternEnvelope = (facts: ErrorFacts): ErrorResponse => {
  const { availability, details, message, path, status, type } = facts
  const { code = codes[status], reason = availability?.code ?? type } = facts
  return makeErrorResponse({
    status,
    code,
    message,
    ...(reason === undefined
      ? undefined
      : { metadata: { reason, retryable: isRetryable(facts), path, ...details } }),
    headers: toHeaders(facts)
  })
}

const codes: Readonly<Partial<Record<ErrorStatus, string>>> = {
  400: "invalid_body",
  404: "not_found",
  413: "payload_too_large",
  500: "internal_error",
  502: "upstream_unavailable"
}

/** The error envelope of chats with interns: few statuses, and reasons that clients know. */
export const toInternChatEnvelope = (facts: ErrorFacts): ErrorResponse => {
  const { reason, status } = facts.reason === undefined ? defaults[facts.status] : facts
  const hasRetryAfter = reason === "busy" || reason === "rate_limited"
  return makeErrorResponse({
    status,
    message: facts.message,
    ...(reason === undefined ? undefined : { metadata: { reason, retryable: isRetryable(facts) } }),
    headers: { ...(hasRetryAfter ? toRetryAfterHeader(1_000) : undefined), ...toHeaders(facts) }
  })
}

interface ChatError {
  readonly status: ErrorStatus
  /** Absent: clients know no reason for it. */
  readonly reason?: InternChatReason
}

/** The errors, by status, for failures without a reason of their own. */
const defaults: Readonly<Record<ErrorStatus, ChatError>> = {
  400: { status: 400, reason: "bad_request" },
  401: { status: 401 },
  402: { status: 403, reason: "turn_failed" },
  403: { status: 403 },
  404: { status: 404, reason: "not_found" },
  408: { status: 408, reason: "timeout" },
  409: turnFailed,
  410: turnFailed,
  413: { status: 413, reason: "payload_too_large" },
  415: { status: 415, reason: "bad_request" },
  416: turnFailed,
  429: { status: 429, reason: "rate_limited" },
  500: turnFailed,
  502: turnFailed,
  503: { status: 503, reason: "busy" },
  504: { status: 504, reason: "timeout" },
  524: { status: 504, reason: "timeout" },
  529: { status: 503, reason: "busy" }
}

/** The error envelope of Anthropic's API, whose clients read no other. */
export const toMessagesEnvelope = (facts: ErrorFacts): ErrorResponse => {
  const response = toOpenRouterEnvelope(facts)
  return {
    ...response,
    ...(response.headers === undefined ? undefined : { headers: capRetryAfter(response.headers) }),
    // The API has no 524.
    status: facts.status === 524 ? 504 : facts.status,
    form: "messages"
  }
}

/** Anthropic's own client obeys `retry-after` without an upper bound. */
const maxRetryAfterSeconds = 60

const capRetryAfter = (headers: NonNullable<ErrorResponse["headers"]>) => {
  const { "retry-after": seconds } = headers
  return seconds === undefined
    ? headers
    : { ...headers, "retry-after": String(Math.min(Number(seconds), maxRetryAfterSeconds)) }
}

/** The kind of error and the machine-readable reason have fields of their own there. */
export const toMessagesErrorFacts = ({
  message,
  metadata = {},
  status
}: ErrorResponse): MessagesErrorFacts => {
  const { error_type: errorType, reason, ...rest } = metadata
  return {
    status,
    message,
    ...(typeof errorType === "string" ? { errorType } : undefined),
    ...(typeof reason === "string" ? { errorCode: reason } : undefined),
    ...(Object.keys(rest).length === 0 ? undefined : { metadata: rest })
  }
}

/** Builds an error response of parts that may be undefined or empty; those are left out. */
const makeErrorResponse = ({
  code,
  headers = {},
  message,
  metadata = {},
  status
}: Omit<ErrorResponse, "code"> & { readonly code?: string | undefined }): ErrorResponse => {
  const known = Record.filter(metadata, Predicate.isNotUndefined)
  return {
    status,
    ...(code === undefined ? undefined : { code }),
    message,
    ...(Record.isEmptyRecord(known) ? undefined : { metadata: known }),
    ...(Record.isEmptyRecord(headers) ? undefined : { headers })
  }
}
