/** What a caller is told when it is turned away at the door. */
import type { NotPermitted, RateLimited, Unauthenticated } from "../../auth/AuthErrors.ts"
import { type Refusal, retryAfter } from "./Refusal.ts"

export const authRefusal = (error: Unauthenticated | NotPermitted | RateLimited): Refusal => {
  switch (error._tag) {
    case "Unauthenticated":
      // The same words for an unknown key: source interface specification, Errors.
      return { status: 401, message: "Missing Authentication header" }
    case "NotPermitted":
      return error.needs === "a management key"
        ? { status: 403, message: "Only management keys can perform this operation" }
        : {
            status: 403,
            message: "Management keys cannot run models; use a member or organization key"
          }
    case "RateLimited": {
      const headers = {
        "x-ratelimit-limit": String(error.limit),
        "x-ratelimit-remaining": "0",
        "x-ratelimit-reset": String(error.resetAt),
        ...retryAfter(error.retryAfterMillis)
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
