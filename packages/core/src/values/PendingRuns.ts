/** Runs without a fiber that end with a scope at the latest. */
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { constVoid } from "effect/Function"
import * as Scope from "effect/Scope"
import { type AnyExit, PendingRun } from "./Pending.ts"

/** The runs of one scope, for as long as they last. */
export class PendingRuns {
  /** The latest of a list, which costs less than a set to which every request is added. */
  #last: TrackedRun | undefined
  #onIdle = constVoid
  #isClosed = false

  /** Makes a run, whose services are those of `context`; `onEnd` receives its result, once. `outer`: of `PendingRun`. */
  add(
    context: Context.Context<never>,
    onEnd?: (exit: AnyExit) => void,
    outer?: PendingRun
  ): PendingRun {
    const run = new TrackedRun(this, context, onEnd, outer, this.#last)
    if (this.#last !== undefined) this.#last.next = run
    this.#last = run
    if (this.#isClosed) run.interrupt()
    return run
  }

  /** A run has ended. */
  delete(run: TrackedRun): void {
    const { next, previous } = run
    if (previous !== undefined) previous.next = next
    if (next === undefined) this.#last = previous
    else next.previous = previous
    run.next = run.previous = undefined
  }

  /** Calls what waits for the last run to end. */
  checkIdle(): void {
    if (this.#last === undefined) this.#onIdle()
  }

  /** Interrupts all runs, also those that are still to come, and completes when the present ones have ended. */
  readonly close: Effect.Effect<void> = Effect.callback((resume) => {
    this.#isClosed = true
    this.#onIdle = () => resume(Effect.void)
    const running: Array<TrackedRun> = []
    for (let run = this.#last; run !== undefined; run = run.previous) running.push(run)
    for (const run of running) run.interrupt()
    this.checkIdle()
  })
}

class TrackedRun extends PendingRun {
  readonly #runs: PendingRuns
  readonly #onEnd: ((exit: AnyExit) => void) | undefined
  #hasEnded = false
  previous: TrackedRun | undefined
  next: TrackedRun | undefined = undefined

  constructor(
    runs: PendingRuns,
    context: Context.Context<never>,
    onEnd: ((exit: AnyExit) => void) | undefined,
    outer: PendingRun | undefined,
    previous: TrackedRun | undefined
  ) {
    super(context, undefined, outer)
    this.#runs = runs
    this.#onEnd = onEnd
    this.previous = previous
  }

  override interrupt(annotations?: Context.Context<never>): void {
    if (!this.#hasEnded) super.interrupt(annotations)
  }

  protected override end(exit: AnyExit): void {
    // It is in the list no more, and would take those before it along.
    if (this.#hasEnded) return
    this.#hasEnded = true
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
