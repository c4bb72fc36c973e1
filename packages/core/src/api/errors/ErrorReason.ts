/** The machine-readable reasons of errors. */
import type { InternChatReason } from "../../domains/interns/chat/InternChatRequest.ts"
import type { ActiveFilter, FilterCount } from "../../routing/plan/findSmallestRelaxation.ts"

/** The kind of error: `metadata.error_type` of the HTTP API. */
export type ErrorType =
  | "content_policy_violation"
  | "context_length_exceeded"
  | "gone"
  | "invalid_request"
  | "not_completed"
  | "not_found"
  | "payload_too_large"
  | "payment_required"
  | "permission_denied"
  | "provider_overloaded"
  | "provider_unavailable"
  | "quota_exceeded"
  | "range_not_satisfiable"
  | "rate_limit_exceeded"
  | "secret_unbound"
  | "secret_unreadable"
  | "storage_unavailable"
  | "timeout"
  | "vault_closed"

/** Why no endpoint could serve a request: `metadata.availability.code`. */
export type AvailabilityCode =
  | "bodies_crowded"
  | "capacity_exhausted"
  | "constraint_filtered"
  | "content_policy_violation"
  | "context_length_exceeded"
  | "draining"
  | "invalid_request"
  | "model_not_found"
  | "model_unavailable_upstream"
  | "no_endpoints"
  | "privacy_restricted"
  | "provider_overloaded"
  | "provider_unavailable"
  | "storage_unavailable"
  | "temporarily_unavailable"
  | "timeout"
  | "wrong_endpoint"

/** Where neither of the others says it: `metadata.reason`. */
export type ReasonCode =
  | InternChatReason
  | "bundle_unknown"
  | "busy"
  | "consent_refused"
  | "control_changed"
  | "content_blocked"
  | "cross_origin"
  | "customer_exists"
  | "customer_suspended"
  | "idempotency_key_reused"
  | "invalid_auth_code"
  | "invalid_regex_pattern"
  | "legal_hold"
  | "management_key"
  | "name_taken"
  | "no_acting_user"
  | "not_labelable"
  | "pkce_off"
  | "not_set_up"
  | "other_workspace"
  | "preset_read_only"
  | "quota_exceeded"
  | "regional_hostname"
  | "thread_unsupported_request"
  | "timeout"
  | "unknown_key"
  | "unsupported_content_encoding"
  | "unsupported_media_type"
  | "workspace_loss_unacknowledged"
  | "wrong_status"

/** Why a call failed, the most precise word for it. */
export type ErrorReason =
  | AvailabilityCode
  | ErrorType
  | ReasonCode
  | "internal_error"
  | "missing_key"
  | "not_permitted"
  | "option_failed"

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
