/** Writes errors in the envelope of Google's API, the only one its clients read. */
import type { Json } from "./geminiFields.ts"

export interface GeminiErrorFacts {
  readonly status: number
  readonly message: string
  /** The precise kind of the error, as named by the router, such as `context_length_exceeded`. */
  readonly errorType?: string
  readonly retryAfterMillis?: number
  readonly metadata?: Json
}

/** The body of a response, and the last event of a stream that broke off. */
export const writeGeminiError = ({
  errorType,
  message,
  metadata,
  retryAfterMillis,
  status
}: GeminiErrorFacts): Json => {
  const details = [
    ...(errorType === undefined
      ? []
      : [{ "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: errorType }]),
    ...(retryAfterMillis === undefined
      ? []
      : [
          {
            "@type": "type.googleapis.com/google.rpc.RetryInfo",
            retryDelay: `${retryAfterMillis / 1_000}s`
          }
        ])
  ]
  return {
    error: {
      code: status,
      message,
      status: toGeminiStatus(status),
      ...(details.length === 0 ? undefined : { details }),
      ...(metadata === undefined ? undefined : { metadata })
    }
  }
}

/** The `error.status` of an HTTP status. */
export const toGeminiStatus = (status: number): string =>
  nameByStatus.get(status) ?? (status >= 500 ? "INTERNAL" : "INVALID_ARGUMENT")

const nameByStatus: ReadonlyMap<number, string> = new Map([
  [401, "UNAUTHENTICATED"],
  [402, "FAILED_PRECONDITION"],
  [403, "PERMISSION_DENIED"],
  [404, "NOT_FOUND"],
  [408, "DEADLINE_EXCEEDED"],
  [409, "ABORTED"],
  [429, "RESOURCE_EXHAUSTED"],
  [499, "CANCELLED"],
  [501, "UNIMPLEMENTED"],
  [502, "UNAVAILABLE"],
  [503, "UNAVAILABLE"],
  [504, "DEADLINE_EXCEEDED"],
  [529, "UNAVAILABLE"]
])
