/** The table of errors: what each means to a caller. Entries are beside this file, by domain. */
import type { QuotaExceeded } from "../../values/enforceQuota.ts"
import type {
  InvalidRequest,
  OptionFailed,
  RequestTooLarge,
  ResourceNotFound
} from "../../values/errors/RequestErrors.ts"
import { shorten } from "../../values/validation/text.ts"
import { type ErrorFacts, type ErrorTable, instanceErrorFacts } from "./ErrorFacts.ts"
import type {
  BodyTimedOut,
  InternalError,
  NotJson,
  RegionalHostname,
  RequestTimedOut,
  UnknownOperation,
  UnknownPath,
  UnsupportedContentCoding,
  WorkspaceMismatch
} from "./HttpErrors.ts"
import { authErrorFacts, paymentErrorFacts, rateLimitErrorFacts } from "./callerErrorFacts.ts"
import {
  calibrationErrorFacts,
  customerErrorFacts,
  internErrorFacts,
  personErrorFacts,
  presetErrorFacts,
  trafficErrorFacts,
  pkceErrorFacts,
  vaultErrorFacts,
  videoErrorFacts
} from "./domainErrorFacts.ts"
import { routingErrorFacts } from "./routingErrorFacts.ts"

/** The rest of the body may still arrive, and nothing reads it. https://www.rfc-editor.org/rfc/rfc9110#status.408 */
const timedOut = {
  status: 408,
  reason: "timeout",
  retryable: true,
  headers: { connection: "close" }
} as const

type RequestError =
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

/** Problems repeat what the caller sent, and end in advice. */
const maxProblemCharacters = 1_000

/** Errors of a request itself: its path, its content type, its body, its size, its time. */
const requestErrorFacts: ErrorTable<RequestError> = {
  InvalidRequest: ({ path, problem, reason }) => ({
    status: 400,
    message: `${path.map((key) => shorten(String(key))).join(".") || "Invalid request"}: ${shorten(problem, maxProblemCharacters)}`,
    type: "invalid_request",
    reason,
    path
  }),
  RequestTooLarge: ({ limitBytes, setting }) => ({
    status: 413,
    message: `The request body is larger than ${limitBytes} bytes${setting === undefined ? "" : ` (${setting})`}`,
    type: "payload_too_large",
    openrouter: { details: { limit_bytes: limitBytes, setting } }
  }),
  ResourceNotFound: ({ resource }) => ({
    status: 404,
    message:
      resource === "generation"
        ? "There is no such generation: requests that failed before they were routed are in GET signalbox/failed-requests"
        : `There is no such ${resource}`,
    type: "not_found"
  }),
  QuotaExceeded: ({ most, of, setting, what }) => ({
    status: 409,
    message: `The ${of} has ${most} ${what}, which is the limit (${setting}); ${of === "preset" ? "delete it, or use another slug" : "delete some first"}`,
    type: "quota_exceeded",
    reason: "quota_exceeded",
    retryable: false,
    details: { limit: most, setting }
  }),
  RequestTimedOut: ({ timeoutMillis }) => ({
    ...timedOut,
    message: `The request took longer than ${timeoutMillis} ms`
  }),
  BodyTimedOut: ({ timeoutMillis }) => ({
    ...timedOut,
    message: `The request body did not arrive within ${timeoutMillis} ms`
  }),
  NotJson: () => ({
    status: 415,
    message: "The content type must be application/json",
    reason: "unsupported_media_type",
    retryable: false,
    internChat: { reason: "bad_request" }
  }),
  UnsupportedContentCoding: ({ supported }) => ({
    status: 415,
    message: `The content encoding must be one of ${supported.join(", ")}, or none`,
    reason: "unsupported_content_encoding",
    retryable: false,
    // https://www.rfc-editor.org/rfc/rfc9110#status.415
    headers: { "accept-encoding": supported.join(", ") },
    internChat: { reason: "bad_request" }
  }),
  WorkspaceMismatch: () => ({
    status: 403,
    message: "workspace_id must be the workspace of the key",
    reason: "other_workspace",
    retryable: false
  }),
  RegionalHostname: () => ({
    status: 403,
    message: "Interns are not served on regional hostnames",
    reason: "regional_hostname",
    retryable: false,
    // Clients know no reason for it.
    internChat: { reason: undefined }
  })
}

type ServerError = InternalError | OptionFailed | UnknownOperation | UnknownPath

/** Errors that no operation reports: unknown paths, bugs, and options that fail. */
const serverErrorFacts: ErrorTable<ServerError> = {
  UnknownPath: ({ advice }) => ({ status: 404, message: advice ?? "Not Found" }),
  UnknownOperation: ({ method, path }) => ({
    status: 404,
    message: `${method} ${shorten(path)} is not served here`,
    type: "not_found"
  }),
  InternalError: () => ({ status: 500, message: "Internal Server Error" }),
  // Only in process: nothing is served when an option fails.
  OptionFailed: ({ message, option }) => ({ status: 503, message, details: { option } })
}

const operationErrors = {
  ...authErrorFacts,
  ...rateLimitErrorFacts,
  ...paymentErrorFacts,
  ...requestErrorFacts,
  ...routingErrorFacts,
  ...calibrationErrorFacts,
  ...customerErrorFacts,
  ...videoErrorFacts,
  ...vaultErrorFacts,
  ...internErrorFacts,
  ...personErrorFacts,
  ...presetErrorFacts,
  ...trafficErrorFacts,
  ...pkceErrorFacts,
  ...instanceErrorFacts
}

export const errorTable = { ...operationErrors, ...serverErrorFacts }

type ErrorOf<Table> = {
  [Tag in keyof Table]: Table[Tag] extends (error: infer Error) => unknown ? Error : never
}[keyof Table]

/** Every error that an operation reports; `_tag` distinguishes them, such as `LimitExceeded`. */
export type ExpectedError = ErrorOf<typeof operationErrors>

/** Every error that leaves the service, over HTTP or in process. */
export type ReportedError = ErrorOf<typeof errorTable>

/** Each error by its tag. */
type ErrorByTag = { readonly [Error in ReportedError as Error["_tag"]]: Error }

type FactsByTag = { readonly [Tag in keyof ErrorByTag]: (error: ErrorByTag[Tag]) => ErrorFacts }

const factsByTag: FactsByTag = errorTable

/** What an error means, from the table. */
export const findErrorFacts = <Tag extends keyof ErrorByTag>(
  tag: Tag,
  error: ErrorByTag[Tag]
): ErrorFacts => factsByTag[tag](error)
