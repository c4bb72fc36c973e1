/** The errors of the client, as classes with a `kind`. No error contains the API key. */

/** The facts of an error, from any of the server's envelopes. */
export interface ErrorFacts {
  readonly message: string
  /** `error.code` of the envelope: the status, or a word such as `not_found`. */
  readonly code: number | string
  /** The kind of error, such as `rate_limit_exceeded`. */
  readonly type?: string
  /** A word for programs, such as `busy`. */
  readonly reason?: string
  /** Whether the same request may succeed later; undefined if the server does not say. */
  readonly retryable?: boolean
  /** Where the request is invalid. */
  readonly path?: ReadonlyArray<string | number>
  /** Why no endpoint could serve the request. */
  readonly availability?: {
    readonly code: string
    readonly retryable?: boolean
    readonly requested_models?: ReadonlyArray<string>
    readonly excluded_by?: ReadonlyArray<string>
  }
  /** Everything the server adds. */
  readonly metadata: Readonly<Record<string, unknown>>
}

/** The request that failed. */
export interface FailedCall {
  /** The method and the path of the contract, such as `GET /api/v1/keys/:hash`. */
  readonly operation: string
  /** The id of the response, which is in the server's log, too. */
  readonly requestId: string | undefined
  /** The id of the record; undefined if the request was not routed. */
  readonly generationId: string | undefined
}

abstract class Failure<Kind extends string> extends Error implements FailedCall {
  abstract readonly kind: Kind
  /** Written out in each class, because bundlers shorten the names of classes. */
  abstract override readonly name: string
  readonly operation: string
  readonly requestId: string | undefined
  readonly generationId: string | undefined

  constructor(message: string, { generationId, operation, requestId }: FailedCall) {
    super(message)
    this.operation = operation
    this.requestId = requestId
    this.generationId = generationId
  }
}

/** The server answered with an error. */
export class ResponseError<Status extends number = number> extends Failure<"response"> {
  override readonly name = "ResponseError"
  readonly kind = "response"
  readonly status: Status
  readonly facts: ErrorFacts
  /** How long the server asks to wait. */
  readonly retryAfterMillis: number | undefined

  constructor(
    status: Status,
    facts: ErrorFacts,
    call: FailedCall & { readonly retryAfterMillis: number | undefined }
  ) {
    super(facts.message, call)
    this.status = status
    this.facts = facts
    this.retryAfterMillis = call.retryAfterMillis
  }
}

/** A stream that had begun ended with an error of the server. */
export class StreamError extends Failure<"stream"> {
  override readonly name = "StreamError"
  readonly kind = "stream"
  readonly facts: ErrorFacts

  constructor(facts: ErrorFacts, call: FailedCall) {
    super(facts.message, call)
    this.facts = facts
  }
}

/** A stream ended before its last event, because the connection or a process broke off. */
export class TruncatedStreamError extends Failure<"truncated"> {
  override readonly name = "TruncatedStreamError"
  readonly kind = "truncated"

  constructor(call: FailedCall) {
    super("The stream ended before the answer was complete", call)
  }
}

/** There was no answer, or only a part of it. */
export class ConnectionError extends Failure<"connection"> {
  override readonly name = "ConnectionError"
  readonly kind = "connection"
  /** The code of the system, such as `ECONNREFUSED`; undefined in browsers. */
  readonly code: string | undefined

  constructor(code: string | undefined, call: FailedCall) {
    super(`The connection failed${code === undefined ? "" : `: ${code}`}`, call)
    this.code = code
  }
}

/** The answer, or the next event of a stream, took longer than `timeout`. */
export class TimeoutError extends Failure<"timeout"> {
  override readonly name = "TimeoutError"
  readonly kind = "timeout"
  readonly timeoutMillis: number

  constructor(timeoutMillis: number, call: FailedCall) {
    super(`No answer within ${timeoutMillis} ms`, call)
    this.timeoutMillis = timeoutMillis
  }
}

/** The answer is not one of Signalbox: probably `baseUrl` is wrong, or a proxy answered. */
export class InvalidResponseError extends Failure<"invalid"> {
  override readonly name = "InvalidResponseError"
  readonly kind = "invalid"
  readonly status: number

  constructor(status: number, call: FailedCall) {
    super(`The answer is not one of Signalbox (status ${status}): check baseUrl`, call)
    this.status = status
  }
}
