/** The error of calls in process, with the status, message and metadata of the same error over HTTP. */
import type { ExpectedError } from "./api/errors/errorTable.ts"
import { toErrorResponse } from "./api/errors/toErrorResponse.ts"
import type { OptionFailed } from "./values/errors/RequestErrors.ts"
import type { ErrorResponse, ErrorStatus } from "./api/errors/ErrorResponse.ts"

/** Thrown by calls in process. `instanceof` works where one copy of `@signalbox/core` is installed. */
export class SignalboxError extends Error {
  override readonly name = "SignalboxError"
  /** The HTTP status. */
  readonly status: ErrorStatus
  /** Further facts, such as `path` or `previous_errors`; may be empty. */
  readonly metadata: Readonly<Record<string, unknown>>
  /** The headers of the same error over HTTP, by names in lower case, such as `retry-after`; may be empty. */
  readonly headers: Readonly<Record<string, string>>
  /** The tagged error; absent for a bug and for an instance that is closing. */
  override readonly cause: ExpectedError | OptionFailed | undefined

  constructor(response: ErrorResponse, cause?: ExpectedError | OptionFailed) {
    super(response.message)
    this.status = response.status
    this.metadata = response.metadata ?? {}
    this.headers = response.headers ?? {}
    this.cause = cause
  }

  static of(error: ExpectedError | OptionFailed): SignalboxError {
    // `new SignalboxError` would make the bundler rename the class to `_SignalboxError` in stack traces.
    return new this(toErrorResponse(error), error)
  }
}
