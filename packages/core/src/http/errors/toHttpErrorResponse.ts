/** What a caller is told whose request fails by what only HTTP knows of it. Source: wire, Interns. */
import type { HttpError } from "./HttpErrors.ts"
import { type ErrorResponse, toRetryAfterHeader } from "./ErrorResponse.ts"

export const toHttpErrorResponse = (error: HttpError): ErrorResponse => {
  switch (error._tag) {
    case "BodyBufferFull":
      return bodyBufferFullResponse
    case "BodyTimedOut":
      return {
        status: 408,
        message: `The request body did not arrive within ${error.timeoutMillis} ms`,
        metadata: { reason: "timeout", retryable: true },
        headers: { connection: "close" }
      }
    case "UnsupportedContentCoding":
      return {
        status: 415,
        message: `The content encoding must be one of ${error.supported.join(", ")}, or none`,
        metadata: { reason: "unsupported_content_encoding", retryable: false },
        // Source: RFC 9110, 15.5.16.
        headers: { "accept-encoding": error.supported.join(", ") }
      }
    case "NotJson":
      return unsupportedMediaTypeResponse
    case "WorkspaceMismatch":
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
        message: `The request took longer than ${error.timeoutMillis} ms`,
        metadata: { reason: "timeout", retryable: true },
        // The rest of its body may still be on the way, and is read by nobody. Source: RFC 9110, 15.5.9.
        headers: { connection: "close" }
      }
  }
}

export const unsupportedMediaTypeResponse: ErrorResponse = {
  status: 415,
  message: "The content type must be application/json",
  metadata: { reason: "unsupported_media_type", retryable: false }
}

/** Bodies are read quickly: there is room again soon. */
export const bodyBufferFullResponse: ErrorResponse = {
  status: 503,
  message: "The service is reading as many request bodies as it has memory for",
  metadata: {
    error_type: "provider_overloaded",
    availability: { code: "bodies_crowded", retryable: true }
  },
  headers: toRetryAfterHeader(1_000)
}
