/** What a caller is told when its request is at fault. */
import type {
  InvalidRequest,
  ResourceNotFound,
  RequestTooLarge
} from "../../values/errors/RequestErrors.ts"
import type { QuotaExceeded } from "../../values/enforceQuota.ts"
import type { ErrorResponse } from "./ErrorResponse.ts"

export const toRequestErrorResponse = (
  error: InvalidRequest | ResourceNotFound | QuotaExceeded | RequestTooLarge
): ErrorResponse => {
  switch (error._tag) {
    case "InvalidRequest": {
      const path = error.path.join(".")
      return {
        status: 400,
        message: path === "" ? `Invalid request: ${error.problem}` : `${path}: ${error.problem}`,
        metadata: { error_type: "invalid_request", path: error.path }
      }
    }
    case "ResourceNotFound":
      return {
        status: 404,
        message: `There is no such ${error.resource}`,
        metadata: { error_type: "not_found" }
      }
    case "QuotaExceeded":
      return {
        status: 409,
        message: `The ${error.of} has ${error.most} ${error.what}, which is the limit (${error.setting}); delete some first`,
        metadata: {
          error_type: "quota_exceeded",
          reason: "quota_exceeded",
          retryable: false,
          limit: error.most,
          setting: error.setting
        }
      }
    case "RequestTooLarge":
      return {
        status: 413,
        message: `The request body is larger than ${error.limitBytes} bytes${error.setting === undefined ? "" : ` (${error.setting})`}`,
        metadata: {
          error_type: "payload_too_large",
          limit_bytes: error.limitBytes,
          ...(error.setting === undefined ? undefined : { setting: error.setting })
        }
      }
  }
}
