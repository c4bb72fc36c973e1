/** The error envelope of Anthropic's API, whose clients read no other. */
import type { MessagesErrorFacts } from "../../dialects/messages/writeMessagesError.ts"
import type { ErrorFacts } from "./ErrorFacts.ts"
import type { ErrorResponse } from "./ErrorResponse.ts"
import { toOpenRouterEnvelope } from "./toOpenRouterEnvelope.ts"

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
