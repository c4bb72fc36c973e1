/** How a store fails when it cannot be asked now: not reached, too slow, full. */
import * as Data from "effect/Data"

/**
 * What a store dies with. No port has it among its errors, because nobody between a store and the door
 * could do anything about it; the door tells callers to try again. What else a store dies with is a bug.
 */
export class StoreUnavailable extends Data.TaggedError("StoreUnavailable")<{
  /** Of the driver: for the log, never for callers. */
  readonly cause: unknown
}> {
  override get message(): string {
    return `a store cannot be used: ${this.cause instanceof Error ? this.cause.message : String(this.cause)}`
  }
}
