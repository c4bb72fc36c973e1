/** How a request fails before anything is done for it. */
import * as Data from "effect/Data"

/** The request is not what the operation takes; `path` names the first place where it is not. */
export class InvalidRequest extends Data.TaggedError("InvalidRequest")<{
  readonly path: ReadonlyArray<string | number>
  readonly problem: string
}> {}

/** The settings that say how large a request body may be. */
export type BodyLimitSetting = "maxBodyBytes" | "maxChatBodyBytes" | "maxImageBodyBytes"

/** The request is larger than allowed. */
export class RequestTooLarge extends Data.TaggedError("RequestTooLarge")<{
  readonly limitBytes: number
  /** What a host raises for larger ones; absent: nothing does. */
  readonly setting?: BodyLimitSetting
}> {}

/** There is no such thing, or none that the caller may know of: both look the same. */
export class ResourceNotFound extends Data.TaggedError("ResourceNotFound")<{
  /** What was asked for, such as `workspace`. */
  readonly resource: string
  readonly id: string
}> {}
