/** What errors say besides their message: the `metadata` of the HTTP API, typed. */
import type { ActiveFilter, FilterCount } from "../../routing/plan/findSmallestRelaxation.ts"
import type { AvailabilityCode, ErrorReason, ErrorType, ReasonCode } from "./ErrorReason.ts"

/** An attempt that failed before. */
interface PreviousError {
  /** The provider's display name. */
  readonly provider: string
  /** The kind of failure, such as `rate_limited`. */
  readonly code?: string
  /** The status of the provider. */
  readonly status?: number
}

/** Facts of errors. Which of them there are depends on the error; amounts are USD. */
interface KnownMetadata {
  readonly error_type?: ErrorType
  readonly reason?: ReasonCode
  /** Whether the same call may succeed later. */
  readonly retryable?: boolean
  /** Where the request is invalid. */
  readonly path?: ReadonlyArray<string | number>
  /** Why no endpoint served. */
  readonly availability?: {
    readonly code: AvailabilityCode
    readonly retryable: boolean
    readonly requested_models?: ReadonlyArray<string>
    readonly excluded_by?: ReadonlyArray<string>
  }
  /** The filters that removed endpoints, and how many. */
  readonly filters?: ReadonlyArray<FilterCount>
  /** The fewest filters to relax. */
  readonly relax?: ReadonlyArray<ActiveFilter>
  /** The provider of the last attempt, and what it said. */
  readonly provider_name?: string
  readonly raw?: unknown
  readonly is_byok?: boolean
  readonly previous_errors?: ReadonlyArray<PreviousError>
  /** Tokens. */
  readonly context_length?: number
  readonly requested_tokens?: number
  readonly input_tokens?: number
  readonly output_tokens?: number
  /** The most that the call may cost, and what is left. */
  readonly required_usd?: number
  readonly available_usd?: number
  /** What running calls hold, and how many there are. */
  readonly reserved_usd?: number
  readonly running_requests?: number
  readonly retry_after_seconds?: number
  readonly reserved_output_tokens?: number
  /** The largest affordable parameter, such as `{ max_tokens: 3200 }`. */
  readonly affordable?: Readonly<Record<string, number>>
  readonly limit_usd?: number
  readonly interval?: string
  /** ISO 8601. */
  readonly resets_at?: string
  /** The name of the exceeded spending limit, or the number of a quota. */
  readonly limit?: string | number
  readonly limit_bytes?: number
  /** The setting to raise. */
  readonly setting?: string
  /** The option that failed. */
  readonly option?: string
}

/** Facts that every error of a reason has. */
interface CertainMetadata {
  readonly context_length_exceeded: Required<Pick<KnownMetadata, "availability">>
  readonly model_not_found: Required<Pick<KnownMetadata, "availability">>
  readonly option_failed: Required<Pick<KnownMetadata, "option">>
  readonly payment_required: Required<Pick<KnownMetadata, "available_usd" | "required_usd">>
  readonly quota_exceeded: { readonly limit: number; readonly setting: string }
}

/** The metadata of errors with a reason. Errors may have further facts. */
export type ErrorMetadata<Reason extends ErrorReason = ErrorReason> = KnownMetadata &
  (Reason extends keyof CertainMetadata ? CertainMetadata[Reason] : unknown) &
  Readonly<Record<string, unknown>>
