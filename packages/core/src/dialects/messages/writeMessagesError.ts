/** Writes errors in the envelope of Anthropic's API, the only one its clients read. */

type Json = Readonly<Record<string, unknown>>

/** The `error.type` of a status. */
export const toMessagesErrorType = (status: number): string =>
  typeByStatus.get(status) ?? (status >= 500 ? "api_error" : "invalid_request_error")

const typeByStatus: ReadonlyMap<number, string> = new Map([
  [401, "authentication_error"],
  [402, "billing_error"],
  [403, "permission_error"],
  [404, "not_found_error"],
  [408, "timeout_error"],
  [409, "conflict_error"],
  [413, "request_too_large"],
  [429, "rate_limit_error"],
  [503, "overloaded_error"],
  [504, "timeout_error"],
  [524, "timeout_error"],
  [529, "overloaded_error"]
])

export interface MessagesErrorFacts {
  readonly status: number
  readonly message: string
  /** The precise kind of the error, as named by the router, such as `context_length_exceeded`. */
  readonly errorType?: string
  /** A machine-readable reason, such as `thread_unsupported_request`. */
  readonly errorCode?: string
  readonly metadata?: Json
}

/** The `error` of an envelope or an event. */
export const writeMessagesError = ({
  errorCode,
  errorType,
  message,
  status
}: MessagesErrorFacts): Json => ({
  type: toMessagesErrorType(status),
  message,
  ...(errorCode === undefined ? undefined : { details: { error_code: errorCode } }),
  ...(errorType === undefined ? undefined : { error_type: errorType })
})

/** The body of a response. `requestId`: the generation; null before the request was routed. */
export const writeMessagesErrorBody = (
  facts: MessagesErrorFacts,
  requestId: string | null
): Json => ({
  type: "error",
  error: writeMessagesError(facts),
  request_id: requestId,
  ...(facts.metadata === undefined ? undefined : { metadata: facts.metadata })
})
