/** Classifies an error response by its status and its error code. */
import { findJson, isObject } from "../../../values/json/guards.ts"
import { parseRetryAfter } from "../../../values/parseRetryAfter.ts"
import { getHeader, type TransportHeaders } from "../transport/UpstreamTransport.ts"
import { type FailureKind, makeFailure, type UpstreamFailure } from "./UpstreamFailure.ts"

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

/** The failure kind of an error code; undefined for a code that adds nothing to the HTTP status. */
export const findFailureKind = (code: string): FailureKind | undefined => chatFailureCodes.get(code)

/** Kinds of failure by `error.code`, `error.metadata.error_type` or `error.type`. */
export const chatFailureCodes: ReadonlyMap<string, FailureKind> = new Map([
  ["context_length_exceeded", "context_length"],
  ["unsupported_parameter", "unsupported_parameter"],
  ["unknown_parameter", "unsupported_parameter"],
  ["unsupported_value", "unsupported_parameter"],
  ["content_policy_violation", "content_refused"],
  ["content_filter", "content_refused"],
  ["moderation_blocked", "content_refused"],
  ["insufficient_quota", "credential_refused"]
])

/** Google's edge answers with a list of one. */
export const parseErrorBody = (body: string): unknown => {
  const json = findJson(body)
  return Array.isArray(json) ? json[0] : json
}

interface UpstreamError {
  readonly code: string | undefined
  /** A numeric code, which is the HTTP status of the error. */
  readonly status: number | undefined
  readonly message: string | undefined
}

/** Reads `{error: {code, type, message}}`, `{error}` or `{message}`. */
export const parseUpstreamError = (parsed: unknown): UpstreamError => {
  const error = readProperty(parsed, "error")
  const code = readProperty(error, "code")
  return {
    code: findText(
      readProperty(readProperty(error, "metadata"), "error_type"),
      code,
      readProperty(error, "type")
    ),
    status: typeof code === "number" ? code : undefined,
    message: findText(readProperty(error, "message"), error, readProperty(parsed, "message"))
  }
}

const findText = (...candidates: ReadonlyArray<unknown>): string | undefined =>
  candidates.find((candidate) => typeof candidate === "string")

const readProperty = (value: unknown, key: string): unknown =>
  isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined

const phrases: ReadonlyArray<RegExp> = [
  // OpenAI, Azure, vLLM, DeepSeek, Together, OpenRouter.
  /maximum context length/i,
  /context[ _-]?(?:length|window|size|limit)[^.]{0,40}(?:exceed|too (?:long|large|small))/i,
  /(?:exceed|larger than|longer than|too (?:long|large) for)[^.]{0,60}context[ _-]?(?:length|window|size|limit)?/i,
  // Anthropic, Fireworks.
  /prompt is too long/i,
  // xAI.
  /maximum prompt length/i,
  // Gemini.
  /input token count[^.]{0,60}exceeds/i,
  // Mistral.
  /too large for model with \d+ maximum/i,
  // Groq.
  /reduce the length of the (?:messages|prompt|input)/i,
  // TGI and those built on it.
  /`inputs` (?:tokens )?(?:must have less than|\+ `max_new_tokens` must be <=)/i
]

/** Recognizes messages about an exceeded context length, because few providers have an error code for it. */
export const isContextLengthMessage = (message: string | undefined): boolean =>
  message !== undefined &&
  phrases.some((phrase) => phrase.test(message.slice(0, maxScannedCharacters)))

/** Messages of upstreams may have any length. */
export const maxScannedCharacters = 2_000
