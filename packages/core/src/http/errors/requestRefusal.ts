/** What a caller is told when its request is at fault. */
import type { InvalidRequest, Missing, RequestTooLarge } from "../../values/RequestErrors.ts"
import type { QuotaExceeded } from "../../values/withinQuota.ts"
import type { Refusal } from "./Refusal.ts"

export const requestRefusal = (
  error: InvalidRequest | Missing | QuotaExceeded | RequestTooLarge
): Refusal => {
  switch (error._tag) {
    case "InvalidRequest": {
      const path = error.path.join(".")
      return {
        status: 400,
        message: path === "" ? `Invalid request: ${error.problem}` : `${path}: ${error.problem}`,
        metadata: { error_type: "invalid_request", path: error.path }
      }
    }
    case "Missing":
      return {
        status: 404,
        message: `There is no such ${error.what}`,
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
