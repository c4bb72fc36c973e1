/** Classifies errors of the transport, before or during the answer. */
import type * as HttpClientError from "effect/http/HttpClientError"
import { ConnectionsBusy, type FailurePhase, UpstreamFailure } from "./UpstreamFailure.ts"

/** `phase` is the phase of the exchange, unless the error shows that nothing was sent. */
export const toTransportFailure = (
  error: HttpClientError.HttpClientError,
  phase: FailurePhase
): UpstreamFailure =>
  classifyTransportError(error.cause, error.reason._tag === "InvalidUrlError" ? "connect" : phase)

/** Classifies the error of a socket, of undici or of `fetch`. */
export const classifyTransportError = (error: unknown, phase: FailurePhase): UpstreamFailure => {
  if (error instanceof ConnectionsBusy) {
    return new UpstreamFailure({
      kind: "timeout",
      phase: "queue",
      detail: `${error.message}, so nothing was sent`,
      retryAfterMillis: busyRetryMillis
    })
  }
  const code = findErrorCode(error)
  if (code === "UND_ERR_CONNECT_TIMEOUT") {
    return new UpstreamFailure({ kind: "timeout", phase: "connect" })
  }
  const unsent = code !== undefined && connectCodes.has(code)
  return new UpstreamFailure({
    kind: "unreachable",
    phase: unsent ? "connect" : phase,
    ...(code === undefined ? undefined : { detail: code })
  })
}

/** Connections become free as answers end. */
const busyRetryMillis = 1_000

const connectCodes: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ERR_TLS_CERT_ALTNAME_INVALID",
  "CERT_HAS_EXPIRED",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "ERR_SSL_WRONG_VERSION_NUMBER",
  "ERR_INVALID_URL",
  // A header or a method that cannot be sent.
  "UND_ERR_INVALID_ARG"
])

/** The code of a Node or undici error, or of the one that `fetch` wraps. Messages may contain hosts and paths. */
const findErrorCode = (error: unknown): string | undefined => {
  for (const each of [error, readProperty(error, "cause")]) {
    const code = readProperty(each, "code")
    if (typeof code === "string") return code
  }
  return undefined
}

const readProperty = (value: unknown, name: "cause" | "code"): unknown =>
  typeof value === "object" && value !== null && name in value
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined
