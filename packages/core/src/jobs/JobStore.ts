/** Where steps wait, and what is known of those that wait and those that died. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as PersistedQueue from "effect/persistence/PersistedQueue"
import { type CursorRequest, type CursorPage } from "../values/pages/CursorPage.ts"

/** The steps of one kind that are not finished. */
export interface QueueDepth {
  readonly kind: string
  /** Due, and taken by nobody. */
  readonly due: number
  /** To be run later: delayed, or between two attempts. */
  readonly later: number
  /** Taken by some process. */
  readonly running: number
  /** Milliseconds for which the oldest of those due has been due; 0 if none is. */
  readonly oldestMillis: number
}

/** A step that is not tried again. */
export interface DeadLetter {
  readonly kind: string
  /** Of what it belonged to. */
  readonly id: string
  readonly key: string
  /** As it lay in the store. */
  readonly payload: unknown
  /** How often it was begun. */
  readonly attempts: number
  /**
   * The tag of the error its last attempt ended with, or `Error`, `Defect`, `Interrupted`,
   * `TimeoutError`; `Undecodable`: its kind cannot read it; `Lost`: how the last attempt ended is not known,
   * since its process was gone or nobody could be told.
   */
  readonly reason: string
  /** Milliseconds since the epoch. */
  readonly at: number
  /** The same of when it was offered; absent where nobody knows. */
  readonly offeredAt?: number
}

/**
 * Race: `queue.offer` and `bury` belong to the atomic effect around them: nobody sees them before it is
 * kept, or ever when it is undone. Of several who offer or bury one kind and key at once, one does.
 */
export class JobStore extends Context.Service<
  JobStore,
  {
    readonly queue: PersistedQueue.PersistedQueueStore["Service"]
    /** One for each kind that has unfinished steps, those of other processes and older releases too. */
    readonly listQueueDepths: Effect.Effect<ReadonlyArray<QueueDepth>>
    /**
     * False when its death is kept already. A record of the same kind and key from before it was offered is of
     * another step, which it takes the place of.
     */
    readonly deadLetter: (step: DeadLetter) => Effect.Effect<boolean>
    /** The latest to be buried first, at the same cost however many there are. */
    readonly listDeadLetters: (scroll: CursorRequest) => Effect.Effect<CursorPage<DeadLetter>>
    /** Forgets steps that finished, and dead ones, as many milliseconds ago. */
    readonly purgeExpired: (ago: {
      readonly finishedMillis: number
      readonly deadMillis: number
    }) => Effect.Effect<void>
  }
>()("@signalbox/core/jobs/JobStore") {}
