/** Whether the storage can be used, and what its queues have lost, as the stores notice it. A port. */
import * as Context from "effect/Context"

/** Records that stores write in batches, such as `generations`. */
export interface StorageQueueReport {
  readonly name: string
  /** Records in the queue. */
  readonly waiting: number
  /** Records dropped because the queue was full. */
  readonly dropped: number
  /** Records lost because they could not be written. */
  readonly failed: number
}

/** Whether the storage can be used, and what waits to be written. */
export interface StorageReport {
  /** Present while the storage cannot be used. */
  readonly outage?: {
    /** Milliseconds since the epoch. */
    readonly since: number
    /** For operators, such as `the database is read-only (SQLSTATE 25006)`; no addresses and no secrets. */
    readonly reason: string
  }
  readonly queues: ReadonlyArray<StorageQueueReport>
}

/** Default: stores that never fail, such as those in memory. */
export const StorageStatus = Context.Reference<{
  readonly report: () => StorageReport
  /** Stores report the failures of their calls. True: it is part of an outage whose start is in the log. */
  readonly recordFailure: (failure: unknown) => boolean
}>("@signalbox/core/instance/StorageStatus", {
  defaultValue: () => ({ report: () => noOutage, recordFailure: () => false })
})

const noOutage: StorageReport = { queues: [] }
