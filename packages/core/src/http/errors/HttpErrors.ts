/** How a request fails by what only HTTP knows of it: its media type, the host it was sent to, its time. */
import * as Data from "effect/Data"

/** The body is not said to be JSON. */
export class NotJson extends Data.TaggedError("NotJson")<{}> {}

/** It was sent to one of `Settings.regionalHostnames`, where there are no interns. */
export class RegionalHostname extends Data.TaggedError("RegionalHostname")<{}> {}

/** It names a workspace that is not the one of its key. */
export class WorkspaceMismatch extends Data.TaggedError("WorkspaceMismatch")<{}> {}

/** It took longer than it may, its body included. */
export class RequestTimedOut extends Data.TaggedError("RequestTimedOut")<{
  readonly timeoutMillis: number
}> {}

/** Its body did not arrive in the time it may take, or no more of it came for the time it may pause. */
export class BodyTimedOut extends Data.TaggedError("BodyTimedOut")<{
  readonly timeoutMillis: number
}> {}

/** The bodies of all requests together are as large as `Settings.maxBufferedBodyBytes` allows. */
export class BodyBufferFull extends Data.TaggedError("BodyBufferFull")<{}> {}

/** Its body is compressed in a way this process cannot unpack. */
export class UnsupportedContentCoding extends Data.TaggedError("UnsupportedContentCoding")<{
  /** What `Content-Encoding` says. */
  readonly coding: string
  readonly supported: ReadonlyArray<string>
}> {}

/** The box is closing, and waited for as long as it may. */
export class Draining extends Data.TaggedError("Draining")<{}> {}

export type HttpError =
  | BodyBufferFull
  | BodyTimedOut
  | NotJson
  | WorkspaceMismatch
  | RegionalHostname
  | RequestTimedOut
  | UnsupportedContentCoding
