/** Durable jobs: work that outlives its request and its process. */
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { JobKind } from "./JobKind.ts"
import type { DeadLetter, QueueDepth } from "./JobStore.ts"
import { importNamed, layerOnDemand } from "../../values/layerOnDemand.ts"

/** A step to run: at least once, and more often when a process crashes. */
export interface JobStep<A> {
  /** The id of its resource, for example of a video job; part of logs and dead letters. */
  readonly id: string
  /** `<id>-<step>`, at most 255 characters. Offering a key again does nothing. */
  readonly key: string
  readonly payload: A
  /** The delay before the first attempt, rounded up to whole seconds. */
  readonly delay?: Duration.Input
}

/** The state of one kind: its queue, and the attempts of this process. */
export interface JobReport extends QueueDepth {
  /** Whether this process works on the kind; steps of a kind without a worker wait. */
  readonly worked: boolean
  readonly succeeded: number
  readonly failed: number
  /** Steps that were dead-lettered. */
  readonly died: number
}

/**
 * Runs steps at least once, in any order. A step must be repeatable: it changes a row by compare-and-set, and offers
 * the next step in the same transaction.
 */
export class DurableJobs extends Context.Service<
  DurableJobs,
  {
    /**
     * Joins the surrounding transaction: the step runs if that commits. Dies when the store fails, the key is too
     * long, or the payload does not match the kind.
     */
    readonly offer: <A>(kind: JobKind<A>, step: JobStep<A>) => Effect.Effect<void>
    /**
     * Works on steps of this kind until the scope closes; running steps are then interrupted and released without
     * counting the attempt. Dies when this process already works on the kind.
     */
    readonly work: <A, E, R>(
      kind: JobKind<A>,
      worker: Worker<A, E, R>
    ) => Effect.Effect<void, never, R | Scope.Scope>
    /** Reports every kind that has unfinished steps or a worker here. Dies when the store fails. */
    readonly listReports: Effect.Effect<ReadonlyArray<JobReport>>
  }
>()("@signalbox/core/engine/jobs/DurableJobs") {
  static readonly layer = layerOnDemand(
    DurableJobs,
    {
      offer: "call",
      work: "call",
      listReports: "effect"
    },
    importNamed(() => import("./layerDurableJobs.ts"), "layerDurableJobs")
  )
}

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
