/** Runs without a fiber that end with a scope at the latest. */
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { constVoid } from "effect/Function"
import * as Scope from "effect/Scope"
import { type AnyExit, PendingRun } from "./Pending.ts"

/** The runs of one scope, for as long as they last. */
export class PendingRuns {
  readonly #running = new Set<PendingRun>()
  #onIdle = constVoid
  #isClosed = false

  /** Makes a run, whose services are those of `context`; `onEnd` receives its result, once. `outer`: of `PendingRun`. */
  add(
    context: Context.Context<never>,
    onEnd?: (exit: AnyExit) => void,
    outer?: PendingRun
  ): PendingRun {
    const run = new TrackedRun(this, context, onEnd, outer)
    this.#running.add(run)
    if (this.#isClosed) run.interrupt()
    return run
  }

  /** A run has ended. */
  delete(run: PendingRun): void {
    this.#running.delete(run)
  }

  /** Calls what waits for the last run to end. */
  checkIdle(): void {
    if (this.#running.size === 0) this.#onIdle()
  }

  /** Interrupts a run that lasts. */
  interrupt(run: PendingRun, annotations?: Context.Context<never>): void {
    if (this.#running.has(run)) run.interrupt(annotations)
  }

  /** Interrupts all runs, also those that are still to come, and completes when the present ones have ended. */
  readonly close: Effect.Effect<void> = Effect.callback((resume) => {
    this.#isClosed = true
    this.#onIdle = () => resume(Effect.void)
    for (const run of this.#running) run.interrupt()
    if (this.#running.size === 0) this.#onIdle()
  })
}

class TrackedRun extends PendingRun {
  readonly #runs: PendingRuns
  readonly #onEnd: ((exit: AnyExit) => void) | undefined

  constructor(
    runs: PendingRuns,
    context: Context.Context<never>,
    onEnd: ((exit: AnyExit) => void) | undefined,
    outer: PendingRun | undefined
  ) {
    super(context, undefined, outer)
    this.#runs = runs
    this.#onEnd = onEnd
  }

  protected override end(exit: AnyExit): void {
    this.#runs.delete(this)
    this.#onEnd?.(exit)
    this.#runs.checkIdle()
  }
}

/** Closing `scope` ends the runs. */
export const makePendingRuns = (scope: Scope.Scope): Effect.Effect<PendingRuns> =>
  Effect.suspend(() => {
    const runs = new PendingRuns()
    return Effect.as(Scope.addFinalizer(scope, runs.close), runs)
  })
