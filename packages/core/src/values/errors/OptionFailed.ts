/** The error of an option that cannot be built. */
import * as Data from "effect/Data"

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
