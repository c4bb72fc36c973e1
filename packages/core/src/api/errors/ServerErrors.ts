/** Errors that no operation reports: unknown paths, and bugs. */
import * as Data from "effect/Data"

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
