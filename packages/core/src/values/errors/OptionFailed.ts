/** Why a service could not be made of the options a host gave. */
import * as Data from "effect/Data"

/** The effect or layer given for an option failed, so that nothing could be built of it. */
export class OptionFailed extends Data.TaggedError("OptionFailed")<{
  /** As it is spelt in `OutboxOptions`, such as `stores` or `upstreams.0`. */
  readonly option: string
  /** What the effect or layer failed with, or what it threw. */
  readonly cause: unknown
}> {
  override get message(): string {
    return `${this.option} could not be built: ${this.cause instanceof Error ? this.cause.message : String(this.cause)}`
  }
}
