/** The defect of a store that is unreachable, too slow or full. */
import * as Data from "effect/Data"

/**
 * A defect and not an error of the ports, because no service can handle it; the HTTP layer responds with a retryable
 * status. Any other defect of a store is a bug.
 */
export class StoreUnavailable extends Data.TaggedError("StoreUnavailable")<{
  /** The error of the driver: for logs, never for callers. */
  readonly cause: unknown
}> {
  override get message(): string {
    return `a store cannot be used: ${this.cause instanceof Error ? this.cause.message : String(this.cause)}`
  }
}
