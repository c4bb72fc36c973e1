/** Errors of HTTP requests that no service knows: content type, hostname, timeouts, closing. */
import * as Data from "effect/Data"

/** The content type of the body is not JSON. */
export class NotJson extends Data.TaggedError("NotJson")<{}> {}

/** Interns are not served on `Settings.regionalHostnames`. */
export class RegionalHostname extends Data.TaggedError("RegionalHostname")<{}> {}

/** The request names another workspace than its key's. */
export class WorkspaceMismatch extends Data.TaggedError("WorkspaceMismatch")<{}> {}

/** The request, including its body, took too long. */
export class RequestTimedOut extends Data.TaggedError("RequestTimedOut")<{
  readonly timeoutMillis: number
}> {}

/** The body took too long, or stalled. */
export class BodyTimedOut extends Data.TaggedError("BodyTimedOut")<{
  readonly timeoutMillis: number
}> {}

/** The bodies of all requests together have reached `Settings.maxBufferedBodyBytes`. */
export class BodyBufferFull extends Data.TaggedError("BodyBufferFull")<{}> {}

/** The body has a compression that this process does not support. */
export class UnsupportedContentCoding extends Data.TaggedError("UnsupportedContentCoding")<{
  /** The value of `Content-Encoding`. */
  readonly coding: string
  readonly supported: ReadonlyArray<string>
}> {}

/** The instance is closing. */
export class Draining extends Data.TaggedError("Draining")<{}> {}
