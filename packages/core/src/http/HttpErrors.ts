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

/** The box is closing, and waited for as long as it may. */
export class Draining extends Data.TaggedError("Draining")<{}> {}

export type HttpError = NotJson | OtherWorkspace | RegionalHostname | RequestTimedOut
