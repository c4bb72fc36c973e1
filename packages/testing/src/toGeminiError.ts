/** Writes the errors of Google's API. */

/** The envelope of an error, in a response or as the last event of a stream. A text is a status of the API. */
export const toGeminiError = (
  code: number | string,
  message: string,
  kind?: string
): Readonly<Record<string, unknown>> => {
  const number = typeof code === "number" ? code : (codes.get(code) ?? 500)
  return {
    error: {
      code: number,
      // The API has no code for this.
      message: kind === "context_length_exceeded" ? tooLong : message,
      status: typeof code === "string" && codes.has(code) ? code : toStatus(number)
    }
  }
}

const tooLong =
  "The input token count (200001) exceeds the maximum number of tokens allowed (200000)."

const codes: ReadonlyMap<string, number> = new Map([
  ["INVALID_ARGUMENT", 400],
  ["UNAUTHENTICATED", 401],
  ["PERMISSION_DENIED", 403],
  ["NOT_FOUND", 404],
  ["ABORTED", 409],
  ["RESOURCE_EXHAUSTED", 429],
  ["CANCELLED", 499],
  ["INTERNAL", 500],
  ["UNIMPLEMENTED", 501],
  ["UNAVAILABLE", 503],
  ["DEADLINE_EXCEEDED", 504]
])

const toStatus = (code: number): string => {
  const known = Array.from(codes).find(([, each]) => each === code)?.[0]
  if (known !== undefined) return known
  if (code === 529) return "UNAVAILABLE"
  return code < 500 ? "INVALID_ARGUMENT" : "INTERNAL"
}
