/** Errors of requests that are rejected before any work. */
import * as Data from "effect/Data"

/** The request is invalid; `path` is the path of the first invalid field. */
export class InvalidRequest extends Data.TaggedError("InvalidRequest")<{
  readonly path: ReadonlyArray<string | number>
  readonly problem: string
  /** A word for programs, where clients of an API know one. */
  readonly reason?: "invalid_regex_pattern" | "thread_unsupported_request"
}> {}

/** The settings that limit request bodies. */
export type BodyLimitSetting =
  | "maxAudioBytes"
  | "maxBodyBytes"
  | "maxChatBodyBytes"
  | "maxImageBodyBytes"

/** The request is larger than allowed. */
export class RequestTooLarge extends Data.TaggedError("RequestTooLarge")<{
  readonly limitBytes: number
  /** The setting to raise; absent: the limit is fixed. */
  readonly setting?: BodyLimitSetting
}> {}

/** The resource does not exist or belongs to another account; both look the same. */
export class ResourceNotFound extends Data.TaggedError("ResourceNotFound")<{
  /** The kind of resource, for example `workspace`. */
  readonly resource: string
  readonly id: string
}> {}

/** The effect or layer of an option failed. */
export class OptionFailed extends Data.TaggedError("OptionFailed")<{
  /** The path in `Options`, for example `stores` or `upstreams.0`. */
  readonly option: string
  /** The error or defect of the effect or layer. */
  readonly cause: unknown
}> {
  override get message(): string {
    return `${this.option} could not be built: ${this.cause instanceof Error ? this.cause.message : String(this.cause)}`
  }
}
