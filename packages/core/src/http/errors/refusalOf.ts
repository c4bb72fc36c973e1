/** The one table from what went wrong inside to what the caller is told. */
import type {
  NotPermitted,
  NoWorkspace,
  RateLimited,
  Unauthenticated
} from "../../auth/AuthErrors.ts"
import type { InternChatFailure } from "../../interns/InternChatErrors.ts"
import type { ModelNotListed } from "../../listing/ListingErrors.ts"
import { InvalidRequest, type Missing, type RequestTooLarge } from "../../values/RequestErrors.ts"
import type { RoutingError } from "../../routing/Routing.ts"
import type { StoreUnavailable } from "../../values/StoreUnavailable.ts"
import type { QuotaExceeded } from "../../values/withinQuota.ts"
import type { SecretUnbound, SecretUnreadable, VaultClosed } from "../../vaults/VaultErrors.ts"
import type { Draining, HttpError } from "../HttpErrors.ts"
import { authRefusal } from "./authRefusal.ts"
import { catalogRefusal } from "./catalogRefusal.ts"
import { httpRefusal } from "./httpRefusal.ts"
import { internChatRefusal } from "./internChatRefusal.ts"
import { type InternError, internRefusal } from "./internRefusal.ts"
import { type Refusal, retryAfter } from "./Refusal.ts"
import { requestRefusal } from "./requestRefusal.ts"
import { routingRefusal } from "./routingRefusal.ts"
import { vaultRefusal } from "./vaultRefusal.ts"
import { type VideoError, videoRefusal } from "./videoRefusal.ts"

export type ExpectedError =
  | Unauthenticated
  | NotPermitted
  | NoWorkspace
  | RateLimited
  | InvalidRequest
  | RequestTooLarge
  | RoutingError
  | ModelNotListed
  | Missing
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

export const refusalOf = (error: ExpectedError): Refusal => {
  switch (error._tag) {
    case "Unauthenticated":
    case "NotPermitted":
    case "NoWorkspace":
    case "RateLimited":
      return authRefusal(error)
    case "InvalidRequest":
    case "RequestTooLarge":
    case "Missing":
    case "QuotaExceeded":
      return requestRefusal(error)
    case "ModelNotListed":
      return catalogRefusal(error)
    case "ModelNotFound":
    case "WrongOperation":
    case "ContextLengthExceeded":
    case "NoEndpoints":
    case "AttemptsFailed":
    case "OutOfTime":
    case "LimitExceeded":
      return routingRefusal(error)
    case "AllRateLimited":
    case "BlobFailed":
    case "ContentGone":
    case "ContentUnavailable":
    case "NoSuchStretch":
    case "NotCompleted":
    case "TooManyUnfinished":
      return videoRefusal(error)
    case "BodiesCrowded":
    case "BodyStalled":
    case "NotJson":
    case "OtherWorkspace":
    case "RegionalHostname":
    case "RequestTimedOut":
    case "UnknownCoding":
      return httpRefusal(error)
    case "InternChatFailure":
      return internChatRefusal(error)
    case "CreationBusy":
    case "IdempotencyKeyReused":
    case "LossUnacknowledged":
    case "NameTaken":
    case "NoActingUser":
    case "UpstreamUnavailable":
    case "WrongStatus":
      return internRefusal(error)
    case "SecretUnbound":
    case "SecretUnreadable":
    case "VaultClosed":
      return vaultRefusal(error)
    case "Draining":
      return draining
    case "StoreUnavailable":
      return storageUnavailable
  }
}

const storageUnavailable: Refusal = {
  status: 503,
  message: "The storage of the service is unavailable",
  metadata: {
    error_type: "provider_overloaded",
    availability: { code: "storage_unavailable", retryable: true }
  },
  headers: retryAfter(1_000)
}

/** A bug, ours or a plug's: what happened is logged, never told. */
export const unexpected: Refusal = { status: 500, message: "Internal Server Error" }

/** The answer to a path that is none of ours. */
export const notFound: Refusal = { status: 404, message: "Not Found" }

export const notJson: Refusal = requestRefusal(
  new InvalidRequest({ path: [], problem: "the content type must be application/json" })
)

/** `close()` was called: new work goes elsewhere. */
export const draining: Refusal = {
  status: 503,
  message: "The service is shutting down",
  metadata: {
    error_type: "provider_overloaded",
    availability: { code: "draining", retryable: true }
  },
  headers: { "retry-after": "1" }
}
