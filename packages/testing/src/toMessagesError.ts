/** Writes the errors of Anthropic's API. */

/** The envelope of an error, in a response of an error status or as the last event of a stream. */
export const toMessagesError = (
  code: number | string,
  message: string,
  kind?: string
): Readonly<Record<string, unknown>> => ({
  type: "error",
  error: {
    type: typeof code === "number" ? (types.get(code) ?? toClass(code)) : toType(code),
    // The API has no code for this.
    message: kind === contextExceeded ? tooLong : message,
    ...(kind === undefined || kind === contextExceeded
      ? undefined
      : { details: { error_code: kind } })
  },
  request_id: "req_1"
})

const contextExceeded = "context_length_exceeded"
const tooLong = "prompt is too long: 200001 tokens > 200000 maximum"

const types: ReadonlyMap<number, string> = new Map([
  [401, "authentication_error"],
  [402, "billing_error"],
  [403, "permission_error"],
  [404, "not_found_error"],
  [409, "conflict_error"],
  [413, "request_too_large"],
  [429, "rate_limit_error"],
  [503, "overloaded_error"],
  [504, "timeout_error"],
  [529, "overloaded_error"]
])

const toClass = (code: number): string => (code < 500 ? "invalid_request_error" : "api_error")

/** The word of another API, unless it is one of this. */
const toType = (code: string): string => {
  if (code === contextExceeded) return "invalid_request_error"
  return code.endsWith("_error") && code !== "server_error" ? code : "api_error"
}
