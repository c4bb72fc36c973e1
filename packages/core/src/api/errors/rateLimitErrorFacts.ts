/** The error of a caller's rate limit, with `X-RateLimit-*` and `Retry-After`. */
import type { RateLimited } from "../../tenants/auth/AuthErrors.ts"
import type { ErrorTable } from "./ErrorFacts.ts"
import { toRetryAfterHeader } from "./retryAfterHeader.ts"

export const rateLimitErrorFacts: ErrorTable<RateLimited> = {
  RateLimited: ({ limit, resetAt, retryAfterMillis }) => {
    const headers = {
      "x-ratelimit-limit": String(limit),
      "x-ratelimit-remaining": "0",
      "x-ratelimit-reset": String(resetAt),
      ...toRetryAfterHeader(retryAfterMillis)
    }
    return {
      status: 429,
      message: `Rate limit exceeded: ${limit} requests per window for this key`,
      type: "rate_limit_exceeded",
      headers,
      openrouter: { details: { headers } }
    }
  }
}
