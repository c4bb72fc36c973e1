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

/** The path is outside of the instance's paths. */
export class UnknownPath extends Data.TaggedError("UnknownPath")<{
  /** What is wrong with the mount, if the path would be served below another one. */
  readonly advice?: string
}> {}

/** The path belongs to the instance, but no operation has it. */
export class UnknownOperation extends Data.TaggedError("UnknownOperation")<{
  readonly method: string
  readonly path: string
}> {}

/** A bug of Signalbox or of an extension. The log has the cause; callers learn nothing about it. */
export class InternalError extends Data.TaggedError("InternalError")<{}> {}
