/** What a caller is told whose request fails by what only HTTP knows of it. Source: wire, Interns. */
import type { HttpError } from "../HttpErrors.ts"
import type { Refusal } from "./Refusal.ts"

export const httpRefusal = (error: HttpError): Refusal => {
  switch (error._tag) {
    case "NotJson":
      return {
        status: 415,
        message: "The content type must be application/json",
        metadata: { reason: "unsupported_media_type", retryable: false }
      }
    case "OtherWorkspace":
      return {
        status: 403,
        message: "workspace_id must be the workspace of the key",
        metadata: { reason: "other_workspace", retryable: false }
      }
    case "RegionalHostname":
      return {
        status: 403,
        message: "Interns are not served on regional hostnames",
        metadata: { reason: "regional_hostname", retryable: false }
      }
    case "RequestTimedOut":
      return {
        status: 408,
        message: `The request took longer than ${error.deadlineMillis} ms`,
        metadata: { reason: "timeout", retryable: true },
        // The rest of its body may still be on the way, and is read by nobody. Source: RFC 9110, 15.5.9.
        headers: { connection: "close" }
      }
  }
}
