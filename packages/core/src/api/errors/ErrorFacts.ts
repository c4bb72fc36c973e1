/** What an error means to a caller, independent of the envelope it is written in. */
import type { StoreUnavailable } from "../../values/errors/StoreUnavailable.ts"
import type { AvailabilityCode, ErrorType, ReasonCode } from "./ErrorReason.ts"
import type { ErrorStatus } from "./ErrorResponse.ts"
import type { BodyBufferFull, Draining } from "./HttpErrors.ts"

export type EnvelopeName = "openrouter" | "intern" | "internChat" | "messages"

export interface CommonFacts {
  readonly status: ErrorStatus
  readonly message: string
  /** The kind of error, such as `payment_required`. */
  readonly type?: ErrorType
  /** Why no endpoint could serve the request. */
  readonly availability?: {
    readonly code: AvailabilityCode
    readonly models?: ReadonlyArray<string>
    readonly excludedBy?: ReadonlyArray<string>
  }
  /** A machine-readable reason, where neither type nor availability gives it. */
  readonly reason?: ReasonCode | undefined
  /** Whether the same request may succeed later; default: see `isRetryable`. */
  readonly retryable?: boolean
  /** Where the request is invalid. */
  readonly path?: ReadonlyArray<string | number>
  /** Further metadata. */
  readonly details?: Readonly<Record<string, unknown>>
  /** `error.code`, where it differs from the status and from what the envelope derives. */
  readonly code?: string
  readonly retryAfterMillis?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Operations answer with the status whether they declare it or not. */
  readonly isAlwaysDeclared?: boolean
}

/** Facts of one error. Those named after an envelope replace the others there. */
export interface ErrorFacts
  extends CommonFacts, Readonly<Partial<Record<EnvelopeName, Partial<CommonFacts>>>> {}

/** One function for each error of a union, by tag: the compiler demands all of them. */
export type ErrorTable<E extends { readonly _tag: string }> = {
  readonly [Tag in E["_tag"]]: (error: Extract<E, { readonly _tag: Tag }>) => ErrorFacts
}

/** In a chat with an intern: the intern's model is at fault, not the request. */
export const turnFailed = { status: 502, reason: "turn_failed" } as const

const retryableCodes: ReadonlySet<AvailabilityCode | undefined> = new Set([
  "bodies_crowded",
  "capacity_exhausted",
  "draining",
  "provider_overloaded",
  "provider_unavailable",
  "storage_unavailable",
  "temporarily_unavailable",
  "timeout"
])

export const isRetryable = ({ availability, retryable, status }: CommonFacts): boolean =>
  retryable ?? (status === 429 || retryableCodes.has(availability?.code))

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

/** Errors of the instance: it is closing, out of memory for bodies, or without its database. */
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
