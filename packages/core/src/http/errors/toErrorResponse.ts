/** The one table from what went wrong inside to what the caller is told. */
import type {
  NotPermitted,
  WorkspaceNotFound,
  RateLimited,
  Unauthenticated
} from "../../auth/AuthErrors.ts"
import type { InternChatFailure } from "../../interns/chat/InternChatErrors.ts"
import type { ModelNotListed } from "../../listing/ListingErrors.ts"
import {
  InvalidRequest,
  type ResourceNotFound,
  type RequestTooLarge
} from "../../values/errors/RequestErrors.ts"
import type { RoutingError } from "../../routing/Routing.ts"
import type { StoreUnavailable } from "../../values/errors/StoreUnavailable.ts"
import type { QuotaExceeded } from "../../values/enforceQuota.ts"
import type { SecretUnbound, SecretUnreadable, VaultClosed } from "../../vaults/VaultErrors.ts"
import type { Draining, HttpError } from "./HttpErrors.ts"
import { toAuthErrorResponse } from "./toAuthErrorResponse.ts"
import { toCatalogErrorResponse } from "./toCatalogErrorResponse.ts"
import { toHttpErrorResponse } from "./toHttpErrorResponse.ts"
import { toInternChatErrorResponse } from "./toInternChatErrorResponse.ts"
import { type InternError, toInternErrorResponse } from "./toInternErrorResponse.ts"
import { type ErrorResponse, toRetryAfterHeader } from "./ErrorResponse.ts"
import { toRequestErrorResponse } from "./toRequestErrorResponse.ts"
import { toRoutingErrorResponse } from "./toRoutingErrorResponse.ts"
import { toVaultErrorResponse } from "./toVaultErrorResponse.ts"
import { type VideoError, toVideoErrorResponse } from "./toVideoErrorResponse.ts"

/** Every failure an operation reports; `_tag` tells them apart, such as `LimitExceeded`. */
export type ExpectedError =
  | Unauthenticated
  | NotPermitted
  | WorkspaceNotFound
  | RateLimited
  | InvalidRequest
  | RequestTooLarge
  | RoutingError
  | ModelNotListed
  | ResourceNotFound
  | QuotaExceeded
  | StoreUnavailable
  | HttpError
  | Draining
  | InternChatFailure
  | InternError
  | VideoError
  | SecretUnbound
  | SecretUnreadable
  | VaultClosed

export const toErrorResponse = (error: ExpectedError): ErrorResponse => {
  switch (error._tag) {
    case "Unauthenticated":
    case "NotPermitted":
    case "WorkspaceNotFound":
    case "RateLimited":
      return toAuthErrorResponse(error)
    case "InvalidRequest":
    case "RequestTooLarge":
    case "ResourceNotFound":
    case "QuotaExceeded":
      return toRequestErrorResponse(error)
    case "ModelNotListed":
      return toCatalogErrorResponse(error)
    case "ModelNotFound":
    case "WrongOperation":
    case "ContextLengthExceeded":
    case "NoEndpoints":
    case "AttemptsFailed":
    case "DeadlineExceeded":
    case "LimitExceeded":
      return toRoutingErrorResponse(error)
    case "AllRateLimited":
    case "BlobFailed":
    case "ContentGone":
    case "ContentUnavailable":
    case "RangeNotSatisfiable":
    case "NotCompleted":
    case "TooManyActiveJobs":
      return toVideoErrorResponse(error)
    case "BodyBufferFull":
    case "BodyTimedOut":
    case "NotJson":
    case "WorkspaceMismatch":
    case "RegionalHostname":
    case "RequestTimedOut":
    case "UnsupportedContentCoding":
      return toHttpErrorResponse(error)
    case "InternChatFailure":
      return toInternChatErrorResponse(error)
    case "CreationBusy":
    case "IdempotencyKeyReused":
    case "LossUnacknowledged":
    case "NameTaken":
    case "NoActingUser":
    case "UpstreamUnavailable":
    case "WrongStatus":
      return toInternErrorResponse(error)
    case "SecretUnbound":
    case "SecretUnreadable":
    case "VaultClosed":
      return toVaultErrorResponse(error)
    case "Draining":
      return drainingResponse
    case "StoreUnavailable":
      return storageUnavailableResponse
  }
}

const storageUnavailableResponse: ErrorResponse = {
  status: 503,
  message: "The storage of the service is unavailable",
  metadata: {
    error_type: "provider_overloaded",
    availability: { code: "storage_unavailable", retryable: true }
  },
  headers: toRetryAfterHeader(1_000)
}

/** A bug, ours or a plug's: what happened is logged, never told. */
export const internalErrorResponse: ErrorResponse = {
  status: 500,
  message: "Internal Server Error"
}

/** The answer to a path that is none of ours. */
export const notFoundResponse: ErrorResponse = { status: 404, message: "Not Found" }

export const notJsonResponse: ErrorResponse = toRequestErrorResponse(
  new InvalidRequest({ path: [], problem: "the content type must be application/json" })
)

/** `close()` was called: new work goes elsewhere. */
export const drainingResponse: ErrorResponse = {
  status: 503,
  message: "The service is shutting down",
  metadata: {
    error_type: "provider_overloaded",
    availability: { code: "draining", retryable: true }
  },
  headers: { "retry-after": "1" }
}
