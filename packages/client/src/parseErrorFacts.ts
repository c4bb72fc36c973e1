/** Reads the facts of an error from each envelope of the contract. */
import type { ErrorFacts } from "./ClientError.ts"

/** Undefined unless `body` is an envelope, or an event that ends a stream with an error. */
export const parseErrorFacts = (body: unknown): ErrorFacts | undefined => {
  if (!isObject(body)) return undefined
  const error = findError(body)
  if (error === undefined) return undefined
  const { code, details, error_type: errorType, message, metadata = body["metadata"], type } = error
  if (typeof message !== "string") return undefined
  const known = isObject(metadata) ? metadata : {}
  const reason = isObject(details) ? details["error_code"] : known["reason"]
  const facts = {
    message,
    code: isCode(code) ? code : isCode(type) ? type : "error",
    type: errorType ?? known["error_type"],
    reason,
    retryable:
      known["retryable"] ??
      (isObject(known["availability"]) ? known["availability"]["retryable"] : undefined),
    path: known["path"],
    availability: known["availability"],
    metadata: known
  }
  // The contract declares metadata as open: these are the fields that the server writes.
  return Object.fromEntries(
    Object.entries(facts).filter(([, value]) => value !== undefined)
  ) as unknown as ErrorFacts
}

type Json = Readonly<Record<string, unknown>>

/** The error of an envelope, of a chunk, of an `error` event, and of a failed response. */
const findError = (body: Json): Json | undefined => {
  if (isObject(body["error"])) return body["error"]
  if (body["type"] === "error") return body
  const response = body["response"]
  if (body["type"] !== "response.failed" || !isObject(response)) return undefined
  return isObject(response["error"])
    ? response["error"]
    : { code: "server_error", message: "The response failed" }
}

const isCode = (code: unknown): code is number | string =>
  typeof code === "number" || typeof code === "string"

export const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)
