/** Who runs the steps of one kind, and what they are told. */
import type * as Effect from "effect/Effect"
import type { DeadLetter } from "./JobStore.ts"

/** An attempt at a step. */
interface StepAttempt {
  readonly id: string
  readonly key: string
  /** 1 is the first. What was interrupted by a closing process does not count. */
  readonly attempt: number
}

/** What runs the steps of one kind. */
export interface Worker<A, E, R> {
  /** What it fails or dies with is an attempt that failed. To give up for good, let it succeed. */
  readonly run: (payload: A, attempt: StepAttempt) => Effect.Effect<void, E, R>
  /**
   * Told once of each step that is dead, in one atomic effect with its record. When it fails it is told
   * again, as often as it takes.
   */
  readonly onExhausted: (step: DeadLetter) => Effect.Effect<void, E, R>
}

/** What became of the attempts of this process at one kind. */
export interface Tally {
  worked: boolean
  succeeded: number
  failed: number
  died: number
}
