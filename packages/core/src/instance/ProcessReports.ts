/** What the processes that share a store report of themselves. A port. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

/** The last report of a process. */
export interface StoredReport {
  /** The id of the process. */
  readonly id: string
  /** JSON. */
  readonly document: string
  /** Milliseconds since it was stored, by the clock of the store. */
  readonly ageMillis: number
}

/**
 * Reports replace each other and are hints: nothing waits for one. Undefined: the stores serve one process.
 *
 * Race: each process writes its own report only.
 */
export const ProcessReports = Context.Reference<
  | {
      readonly publish: (id: string, document: string) => Effect.Effect<void>
      readonly remove: (id: string) => Effect.Effect<void>
      /** Those of the last hour, by id. */
      readonly list: Effect.Effect<ReadonlyArray<StoredReport>>
    }
  | undefined
>("@signalbox/core/instance/ProcessReports", { defaultValue: () => undefined })
