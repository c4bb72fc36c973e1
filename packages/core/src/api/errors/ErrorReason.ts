/** The machine-readable reasons of errors. */
import type { InternChatReason } from "../../domains/interns/chat/InternChatRequest.ts"

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
  | "cross_origin"
  | "customer_exists"
  | "customer_suspended"
  | "idempotency_key_reused"
  | "legal_hold"
  | "management_key"
  | "name_taken"
  | "no_acting_user"
  | "not_labelable"
  | "not_set_up"
  | "other_workspace"
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
