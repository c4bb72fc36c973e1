/** The error of calls in process, with the status, message and metadata of the same error over HTTP. */
import type { ErrorMetadata, ErrorReason } from "./api/errors/ErrorReason.ts"
import type { ExpectedError } from "./api/errors/errorTable.ts"
import { toErrorResponse } from "./api/errors/toErrorResponse.ts"
import type { OptionFailed } from "./values/errors/RequestErrors.ts"
import type { ErrorResponse, ErrorStatus } from "./api/errors/ErrorResponse.ts"

/** Thrown by calls in process. `instanceof` works where one copy of `@signalbox/core` is installed. */
export class SignalboxError<Reason extends ErrorReason = ErrorReason> extends Error {
  override readonly name = "SignalboxError"
  /** The HTTP status. */
  readonly status: ErrorStatus
  /** Why the call failed, in one word: the most precise one that the metadata has. */
  readonly reason: Reason
  /** Further facts, such as `path` or `previous_errors`; may be empty. */
  readonly metadata: ErrorMetadata<Reason>
  /** The headers of the same error over HTTP, by names in lower case, such as `retry-after`; may be empty. */
  readonly headers: Readonly<Record<string, string>>
  /** The tagged error; absent for a bug and for an instance that is closing. */
  override readonly cause: ExpectedError | OptionFailed | undefined

  constructor(response: ErrorResponse, cause?: ExpectedError | OptionFailed) {
    super(response.message)
    this.status = response.status
    // The types of the error table, which makes every response, are those of the reasons and of their metadata.
    this.reason = findReason(response) as Reason
    this.metadata = (response.metadata ?? {}) as ErrorMetadata<Reason>
    this.headers = response.headers ?? {}
    this.cause = cause
  }

  static of(error: ExpectedError | OptionFailed): SignalboxError {
    // `new SignalboxError` would make the bundler rename the class to `_SignalboxError` in stack traces.
    return new this(toErrorResponse(error), error)
  }

  /** Whether that is the reason: then the metadata has what every error of that reason says. */
  is<Wanted extends ErrorReason>(reason: Wanted): this is SignalboxError<Wanted> {
    const own: ErrorReason = this.reason
    return own === reason
  }
}

const findReason = ({ metadata = {}, status }: ErrorResponse): unknown =>
  metadata["reason"] ??
  Object(metadata["availability"])["code"] ??
  metadata["error_type"] ??
  (metadata["option"] === undefined ? reasons[status] : "option_failed") ??
  "internal_error"

/** Of errors without metadata. */
const reasons: Readonly<Partial<Record<ErrorStatus, ErrorReason>>> = {
  401: "missing_key",
  403: "not_permitted",
  404: "not_found"
}
