/** How a request fails by what only HTTP knows of it: its media type, the host it was sent to, its time. */
import * as Data from "effect/Data"

/** The body is not said to be JSON. */
export class NotJson extends Data.TaggedError("NotJson")<{}> {}

/** It was sent to one of `Settings.regionalHostnames`, where there are no interns. */
export class RegionalHostname extends Data.TaggedError("RegionalHostname")<{}> {}

/** It names a workspace that is not the one of its key. */
export class OtherWorkspace extends Data.TaggedError("OtherWorkspace")<{}> {}

/** It took longer than it may, its body included. */
export class RequestTimedOut extends Data.TaggedError("RequestTimedOut")<{
  readonly deadlineMillis: number
}> {}

/** Its body did not arrive in the time it may take, or no more of it came for the time it may pause. */
export class BodyStalled extends Data.TaggedError("BodyStalled")<{
  readonly deadlineMillis: number
}> {}

/** The bodies of all requests together are as large as `Settings.bufferedBodyBytes` allows. */
export class BodiesCrowded extends Data.TaggedError("BodiesCrowded")<{}> {}

/** Its body is compressed in a way this process cannot unpack. */
export class UnknownCoding extends Data.TaggedError("UnknownCoding")<{
  /** What `Content-Encoding` says. */
  readonly coding: string
  readonly known: ReadonlyArray<string>
}> {}

/** The box is closing, and waited for as long as it may. */
export class Draining extends Data.TaggedError("Draining")<{}> {}

export type HttpError =
  | BodiesCrowded
  | BodyStalled
  | NotJson
  | OtherWorkspace
  | RegionalHostname
  | RequestTimedOut
  | UnknownCoding
