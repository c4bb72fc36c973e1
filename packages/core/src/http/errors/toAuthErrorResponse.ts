/** What a caller is told when it is turned away at the door. */
import type {
  NotPermitted,
  WorkspaceNotFound,
  RateLimited,
  Unauthenticated
} from "../../auth/AuthErrors.ts"
import { type ErrorResponse, toRetryAfterHeader } from "./ErrorResponse.ts"

export const toAuthErrorResponse = (
  error: NotPermitted | WorkspaceNotFound | RateLimited | Unauthenticated
): ErrorResponse => {
  switch (error._tag) {
    case "Unauthenticated":
      return error.reason === "missing_key"
        ? { status: 401, message: missingKeyMessage }
        : {
            status: 401,
            message: "The API key is unknown, disabled or expired",
            metadata: { reason: error.reason }
          }
    case "NotPermitted":
      return { status: 403, message: forbiddenMessages[error.needs] }
    case "WorkspaceNotFound":
      // The host's mistake, but no 5xx: clients repeat those, and nothing changes until the host mends it.
      return {
        status: 403,
        message: `The workspace ${JSON.stringify(error.workspace)} that the application put this caller into does not exist`
      }
    case "RateLimited": {
      const headers = {
        "x-ratelimit-limit": String(error.limit),
        "x-ratelimit-remaining": "0",
        "x-ratelimit-reset": String(error.resetAt),
        ...toRetryAfterHeader(error.retryAfterMillis)
      }
      return {
        status: 429,
        message: `Rate limit exceeded: ${error.limit} requests per window for this key`,
        metadata: { error_type: "rate_limit_exceeded", headers },
        headers
      }
    }
  }
}

/** Decisions and videos say the same of a key nobody knows. Source: interface specification, Errors. */
export const missingKeyMessage = "Missing Authentication header"

const forbiddenMessages: Readonly<Record<NotPermitted["needs"], string>> = {
  "a management key": "Only management keys can perform this operation",
  "a management key of the host's own account":
    "Only management keys of the host's own account can perform this operation",
  "a member or organization key":
    "Management keys cannot run models; use a member or organization key",
  "a key of a workspace": "Management keys are of no workspace; use a member or organization key"
}
