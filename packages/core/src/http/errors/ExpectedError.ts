/** Every error that an operation reports, by domain. */
import type {
  NotPermitted,
  RateLimited,
  Unauthenticated,
  WorkspaceNotFound
} from "../../auth/AuthErrors.ts"
import type { InternChatFailure } from "../../interns/chat/InternChatErrors.ts"
import type {
  CreationBusy,
  IdempotencyKeyReused,
  LossUnacknowledged,
  NameTaken,
  NoActingUser,
  UpstreamUnavailable,
  WrongStatus
} from "../../interns/InternErrors.ts"
import type { ModelNotListed } from "../../listing/ListingErrors.ts"
import type { RoutingError as RouteError } from "../../routing/Routing.ts"
import type { QuotaExceeded } from "../../values/enforceQuota.ts"
import type {
  InvalidRequest,
  RequestTooLarge,
  ResourceNotFound
} from "../../values/errors/RequestErrors.ts"
import type { StoreUnavailable } from "../../values/errors/StoreUnavailable.ts"
import type { SecretUnbound, SecretUnreadable, VaultClosed } from "../../vaults/VaultErrors.ts"
import type { BlobFailed } from "../../videos/content/BlobStore.ts"
import type {
  AllRateLimited,
  ContentGone,
  ContentUnavailable,
  NotCompleted,
  RangeNotSatisfiable,
  TooManyActiveJobs
} from "../../videos/VideoErrors.ts"
import type {
  BodyBufferFull,
  BodyTimedOut,
  Draining,
  NotJson,
  RegionalHostname,
  RequestTimedOut,
  UnsupportedContentCoding,
  WorkspaceMismatch
} from "./HttpErrors.ts"

export type AuthError = NotPermitted | RateLimited | Unauthenticated | WorkspaceNotFound

export type RequestError =
  | BodyTimedOut
  | InvalidRequest
  | NotJson
  | QuotaExceeded
  | RegionalHostname
  | RequestTimedOut
  | RequestTooLarge
  | ResourceNotFound
  | UnsupportedContentCoding
  | WorkspaceMismatch

export type RoutingError = ModelNotListed | RouteError

export type VideoError =
  | AllRateLimited
  | BlobFailed
  | ContentGone
  | ContentUnavailable
  | NotCompleted
  | RangeNotSatisfiable
  | TooManyActiveJobs

export type VaultError = SecretUnbound | SecretUnreadable | VaultClosed

export type InternError =
  | CreationBusy
  | IdempotencyKeyReused
  | InternChatFailure
  | LossUnacknowledged
  | NameTaken
  | NoActingUser
  | UpstreamUnavailable
  | WrongStatus

export type InstanceError = BodyBufferFull | Draining | StoreUnavailable

/** `_tag` distinguishes the errors, such as `LimitExceeded`. */
export type ExpectedError =
  | AuthError
  | RequestError
  | RoutingError
  | VideoError
  | VaultError
  | InternError
  | InstanceError
