/** Errors of the instance: it is closing, out of memory for bodies, or without its database. */
import type { ErrorTable } from "./ErrorFacts.ts"
import type { BodyBufferFull, Draining } from "./HttpErrors.ts"
import type { StoreUnavailable } from "../../values/errors/StoreUnavailable.ts"

const unavailable = {
  status: 503,
  type: "provider_overloaded",
  retryAfterMillis: 1_000
} as const

/** The storage fails, or is so late that a request ends for it. */
export const storageUnavailable = {
  ...unavailable,
  message: "The storage of the service is unavailable",
  availability: { code: "storage_unavailable" }
} as const

type InstanceError = BodyBufferFull | Draining | StoreUnavailable

export const instanceErrorFacts: ErrorTable<InstanceError> = {
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
  StoreUnavailable: () => storageUnavailable
}
