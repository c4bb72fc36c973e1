/** Errors of the instance: it is closing, out of memory for bodies, without its database, or has a bug. */
import type { OptionFailed } from "../../values/errors/OptionFailed.ts"
import type { ErrorTable } from "./ErrorFacts.ts"
import type { InstanceError } from "./ExpectedError.ts"
import type { InternalError } from "./ServerErrors.ts"

const unavailable = {
  status: 503,
  type: "provider_overloaded",
  retryAfterMillis: 1_000
} as const

export const instanceErrorFacts: ErrorTable<InstanceError | InternalError | OptionFailed> = {
  BodyBufferFull: () => ({
    ...unavailable,
    message: "The service is reading as many request bodies as it has memory for",
    availability: { code: "bodies_crowded" },
    openrouter: { isAlwaysDeclared: true }
  }),
  Draining: () => ({
    ...unavailable,
    message: "The service is shutting down",
    availability: { code: "draining" },
    openrouter: { isAlwaysDeclared: true }
  }),
  StoreUnavailable: () => ({
    ...unavailable,
    message: "The storage of the service is unavailable",
    availability: { code: "storage_unavailable" }
  }),
  InternalError: () => ({ status: 500, message: "Internal Server Error" }),
  // Only in process: nothing is served when an option fails.
  OptionFailed: ({ message, option }) => ({ status: 503, message, details: { option } })
}
