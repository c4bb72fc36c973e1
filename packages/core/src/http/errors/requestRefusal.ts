/** What a caller is told when its request is at fault. */
import type { InvalidRequest, RequestTooLarge } from "../../decisions/DecisionErrors.ts"
import type { Refusal } from "./Refusal.ts"

export const requestRefusal = (error: InvalidRequest | RequestTooLarge): Refusal => {
  switch (error._tag) {
    case "InvalidRequest": {
      const path = error.path.join(".")
      return {
        status: 400,
        message: path === "" ? `Invalid request: ${error.problem}` : `${path}: ${error.problem}`,
        metadata: { error_type: "invalid_request", path: error.path }
      }
    }
    case "RequestTooLarge":
      return {
        status: 413,
        message: `The request body is larger than ${error.limitBytes} bytes`,
        metadata: { error_type: "payload_too_large", limit_bytes: error.limitBytes }
      }
  }
}
