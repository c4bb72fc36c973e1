/** Converts errors of the AI SDK, and other values that a model throws, to failures for the router. */
import {
  classifyTransportError,
  type FailureKind,
  type FailurePhase,
  findEmbeddedFailure,
  toResponseFailure,
  UpstreamFailure
} from "@signalbox/core/upstream"
import { isObject } from "./isObject.ts"

/**
 * `phase`: what the call was waiting for. Errors are recognised by name, because each copy of the AI SDK has classes of
 * its own. Messages that may quote a key, a request or an answer are not repeated.
 */
export const toAiSdkFailure = (
  error: unknown,
  phase: FailurePhase,
  nowMillis: number
): UpstreamFailure => {
  if (error instanceof UpstreamFailure) return error
  if (!(error instanceof Error)) return toReportedFailure(error)
  const { responseBody, responseHeaders, statusCode } = readFields(error)
  if (typeof statusCode === "number" && Number.isInteger(statusCode)) {
    const body = typeof responseBody === "string" ? responseBody : ""
    if (statusCode >= 200 && statusCode <= 299) return toSuccessFailure(error, statusCode, body)
    const headers = isObject(responseHeaders) ? keepTexts(responseHeaders) : {}
    return toStatusFailure(error, toResponseFailure(statusCode, headers, body, nowMillis))
  }
  const kind = kindByName.get(error.name)
  if (kind === "invalid_answer") {
    return findTransportFailure(error, phase) ?? new UpstreamFailure({ kind, detail: error.name })
  }
  if (kind !== undefined) {
    return new UpstreamFailure({ kind, detail: error.message.slice(0, detailLimit) })
  }
  if (error.name === "TimeoutError") return new UpstreamFailure({ kind: "timeout", phase })
  const transport = findTransportFailure(error, phase)
  if (transport !== undefined) return transport
  return error.name === "AI_APICallError"
    ? new UpstreamFailure({ kind: "server_error", detail: error.message.slice(0, detailLimit) })
    : new UpstreamFailure({ kind: "defect", detail: `the model threw ${error.name}`.slice(0, 100) })
}

/** Characters that are kept, so that an upstream cannot fill logs and records. */
const detailLimit = 500

const kindByName: ReadonlyMap<string, FailureKind> = new Map([
  ["AI_EmptyResponseBodyError", "invalid_answer"],
  ["AI_InvalidArgumentError", "bad_request"],
  ["AI_InvalidPromptError", "bad_request"],
  ["AI_InvalidResponseDataError", "invalid_answer"],
  ["AI_JSONParseError", "invalid_answer"],
  ["AI_LoadAPIKeyError", "credential_refused"],
  ["AI_LoadSettingError", "credential_refused"],
  ["AI_NoContentGeneratedError", "invalid_answer"],
  ["AI_NoSuchModelError", "not_served"],
  ["AI_NoSuchProviderReferenceError", "unsupported_parameter"],
  ["AI_TypeValidationError", "invalid_answer"],
  ["AI_UnsupportedFunctionalityError", "unsupported_parameter"]
])

/** An error inside an answer, as a provider wrote it. */
const toReportedFailure = (error: unknown): UpstreamFailure =>
  findEmbeddedFailure({ error }) ??
  new UpstreamFailure({ kind: "server_error", detail: "the answer reports an error" })

/** The answer has an error in it, broke off, or has another form. */
const toSuccessFailure = (error: Error, status: number, body: string): UpstreamFailure => {
  try {
    const json: unknown = JSON.parse(body)
    const embedded = isObject(json) ? findEmbeddedFailure(json) : undefined
    if (embedded !== undefined) return embedded
  } catch {
    // No JSON.
  }
  return (
    findTransportFailure(error, "body") ??
    new UpstreamFailure({ kind: "invalid_answer", status, detail: "the answer is not readable" })
  )
}

/** Providers have forms of errors that only their packages know. The message of a refused key may quote it. */
const toStatusFailure = (
  error: Error,
  { detail, kind, retryAfterMillis, status }: UpstreamFailure
): UpstreamFailure => {
  const shown = kind === "credential_refused" ? undefined : (detail ?? error.message)
  return new UpstreamFailure({
    kind,
    ...(status === undefined ? undefined : { status }),
    ...(retryAfterMillis === undefined ? undefined : { retryAfterMillis }),
    ...(shown === undefined ? undefined : { detail: shown.slice(0, detailLimit) })
  })
}

/** Errors of connections have a code, or come from `fetch`; the AI SDK wraps them, some several times. */
const findTransportFailure = (error: Error, phase: FailurePhase): UpstreamFailure | undefined => {
  let cause: unknown = error
  for (let depth = 0; depth < 5 && cause instanceof Error; depth++) {
    const { cause: inner, code } = readFields(cause)
    const isTransport =
      typeof code === "string" || cause.name === "AbortError" || fetchErrors.has(cause.message)
    if (isTransport) return classifyTransportError(cause, phase)
    cause = inner
  }
  return undefined
}

const fetchErrors: ReadonlySet<string> = new Set([
  "Failed to fetch",
  "fetch failed",
  "network error",
  "terminated"
])

/** Errors have more fields than their type says. */
const readFields = (error: unknown): Readonly<Record<string, unknown>> =>
  isObject(error) ? error : {}

const keepTexts = (headers: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      typeof value === "string" ? [[name.toLowerCase(), value] as const] : []
    )
  )
