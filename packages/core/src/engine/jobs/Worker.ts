/** Workers of steps. */
import type * as Effect from "effect/Effect"
import type { DeadLetter } from "./JobStore.ts"

/** An attempt at a step. */
interface StepAttempt {
  readonly id: string
  readonly key: string
  /** From 1. Attempts interrupted by a closing process do not count. */
  readonly attempt: number
}

/** Runs the steps of one kind. */
export interface Worker<A, E, R> {
  /** A failure or defect is a failed attempt, which is retried. To give up, succeed. */
  readonly run: (payload: A, attempt: StepAttempt) => Effect.Effect<void, E, R>
  /**
   * Runs once for each dead step, in the transaction that records the dead letter. When it fails, it is retried until
   * it succeeds.
   */
  readonly onExhausted: (step: DeadLetter) => Effect.Effect<void, E, R>
}

/** Counters of the attempts of this process at one kind. */
export interface Tally {
  worked: boolean
  succeeded: number
  failed: number
  died: number
}
