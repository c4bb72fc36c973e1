/** The defect of a store that is unreachable, too slow or full. */
import * as Cause from "effect/Cause"
import * as Data from "effect/Data"
import { format } from "effect/Formatter"

/**
 * A defect and not an error of the ports, because no service can handle it; the HTTP layer responds with a retryable
 * status. Any other defect of a store is a bug.
 */
export class StoreUnavailable extends Data.TaggedError("StoreUnavailable")<{
  /** The error of the driver: for logs, never for callers. */
  readonly cause: unknown
  /** The log has the start of the outage, so loggers leave out the failures that follow from it. */
  readonly isLogged?: boolean
}> {
  override get message(): string {
    return `a store cannot be used: ${this.cause instanceof Error ? this.cause.message : format(this.cause)}`
  }
}

/** The defect of a store, if that ended an effect. */
export const findStoreUnavailable = ({
  reasons
}: Cause.Cause<unknown>): StoreUnavailable | undefined => {
  for (const reason of reasons) {
    if (Cause.isDieReason(reason) && reason.defect instanceof StoreUnavailable) return reason.defect
  }
  return undefined
}
