/** What a call in process rejects with: the same status, message and facts as on the wire. */
import type { ExpectedError } from "./http/errors/toErrorResponse.ts"
import { toErrorResponse } from "./http/errors/toErrorResponse.ts"
import type { OptionFailed } from "./values/errors/OptionFailed.ts"
import type { ErrorResponse, ErrorStatus } from "./http/errors/ErrorResponse.ts"

/** Thrown by the calls of a box, `instanceof` holds wherever one copy of `@signalbox/core` is installed. */
export class SignalboxError extends Error {
  override readonly name = "SignalboxError"
  /** The HTTP status the same failure has on the wire. */
  readonly status: ErrorStatus
  /** What the envelope of the wire says beside the message, such as `path` or `previous_errors`; may be empty. */
  readonly metadata: Readonly<Record<string, unknown>>
  /** What went wrong, in the terms of the library: a tagged error; absent for a bug and for a box that closes. */
  override readonly cause: ExpectedError | OptionFailed | undefined

  constructor(refusal: ErrorResponse, cause?: ExpectedError | OptionFailed) {
    super(refusal.message)
    this.status = refusal.status
    this.metadata = refusal.metadata ?? {}
    this.cause = cause
  }

  static of(error: ExpectedError): SignalboxError {
    // Its own name here would make the bundler rename the class, and stack traces say `_SignalboxError`.
    return new this(toErrorResponse(error), error)
  }
}
