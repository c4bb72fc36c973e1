/** Stores queued steps and dead letters. A port. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as PersistedQueue from "effect/persistence/PersistedQueue"
import * as Schema from "effect/Schema"
import type { CursorPage, CursorRequest } from "../../values/pages/CursorPage.ts"
import { UnknownJson, optionalNumber } from "../../values/schemaFields.ts"

/** The unfinished steps of one kind. */
export interface QueueDepth {
  readonly kind: string
  /** Due and not taken. */
  readonly due: number
  /** Delayed, or between two attempts. */
  readonly later: number
  /** Taken by a process. */
  readonly running: number
  /** Milliseconds since the oldest due step became due; 0 when none is due. */
  readonly oldestMillis: number
}

/** A step that is not retried any more. */
export const DeadLetter = Schema.Struct({
  kind: Schema.String,
  /** The id of the resource the step belongs to. */
  id: Schema.String,
  key: Schema.String,
  /** The payload as it was stored. */
  payload: UnknownJson,
  /** Attempts that began. */
  attempts: Schema.Finite,
  /**
   * The tag of the error of the last attempt, or `Error`, `Defect`, `Interrupted` or `TimeoutError`;
   * `Undecodable`: the kind cannot decode the step; `Lost`: the outcome of the last attempt is unknown,
   * because its process ended or `onExhausted` failed.
   */
  reason: Schema.String,
  /** Milliseconds since the epoch. */
  at: Schema.Finite,
  /** When the step was offered, in milliseconds since the epoch; absent when unknown. */
  offeredAt: optionalNumber
})
export type DeadLetter = typeof DeadLetter.Type

/**
 * Race: `queue.offer` and `deadLetter` join the surrounding transaction and become visible when it commits.
 * Of concurrent calls with one kind and key, one takes effect.
 */
export class JobStore extends Context.Service<
  JobStore,
  {
    readonly queue: PersistedQueue.PersistedQueueStore["Service"]
    /** One for each kind with unfinished steps, including kinds of other processes and older releases. */
    readonly listQueueDepths: Effect.Effect<ReadonlyArray<QueueDepth>>
    /**
     * False when this death is already recorded. A record with the same kind and key from before the step was
     * offered belongs to an earlier step and is replaced.
     */
    readonly deadLetter: (step: DeadLetter) => Effect.Effect<boolean>
    /** The latest first; the cost must not grow with the number of dead letters. */
    readonly listDeadLetters: (cursor: CursorRequest) => Effect.Effect<CursorPage<DeadLetter>>
    /** Deletes finished steps and dead letters that are older than these milliseconds. */
    readonly purgeExpired: (ago: {
      readonly finishedMillis: number
      readonly deadMillis: number
    }) => Effect.Effect<void>
  }
>()("@signalbox/core/engine/jobs/JobStore") {}
