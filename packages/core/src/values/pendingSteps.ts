/** The pending effects that operators on a pending effect make (`Step.ts`). */
import type * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { isExit } from "./eager.ts"
import { type AnyEffect, type AnyExit, type Frame, Pending, type PendingRun } from "./Pending.ts"

export type Next<A, E, B, E2, R> = (exit: Exit.Exit<A, E>) => Effect.Effect<B, E2, R>

/** A step that follows a pending effect. */
export abstract class Following<A, E, R, B, E2, R2> extends Pending<B, E2, R2> implements Frame {
  protected readonly self: Pending<A, E, R>

  constructor(self: Pending<A, E, R>) {
    super()
    this.self = self
  }

  begin(run: PendingRun): Pending<A, E, R> {
    run.push(this)
    return this.self
  }

  abstract next(exit: AnyExit, run: PendingRun): AnyEffect | undefined
}

/** Goes on with every result, unless the run is interrupted. */
export class AfterExit<A, E, R, B, E2, R2> extends Following<A, E, R, B, E2, R | R2> {
  readonly #next: Next<A, E, B, E2, R2>

  constructor(self: Pending<A, E, R>, next: Next<A, E, B, E2, R2>) {
    super(self)
    this.#next = next
  }

  next(exit: AnyExit, run: PendingRun): AnyEffect {
    // The result of `self`.
    return run.interruption ?? call(this.#next, exit as Exit.Exit<A, E>)
  }
}

/** Goes on with a success, unless the run is interrupted. */
export class AfterSuccess<A, E, R, B, E2, R2> extends Following<A, E, R, B, E | E2, R | R2> {
  readonly #next: (value: A) => Effect.Effect<B, E2, R2>

  constructor(self: Pending<A, E, R>, next: (value: A) => Effect.Effect<B, E2, R2>) {
    super(self)
    this.#next = next
  }

  next(exit: AnyExit, run: PendingRun): AnyEffect {
    if (run.interruption !== undefined) return run.interruption
    // The result of `self`.
    return exit._tag === "Success" ? call(this.#next, exit.value as A) : exit
  }
}

/** Changes a success, unless the run is interrupted. */
export class Mapped<A, E, R, B> extends Following<A, E, R, B, E, R> {
  readonly #f: (value: A) => B

  constructor(self: Pending<A, E, R>, f: (value: A) => B) {
    super(self)
    this.#f = f
  }

  next(exit: AnyExit, run: PendingRun): AnyExit {
    if (run.interruption !== undefined) return run.interruption
    // The result of `self`.
    return mapExit(exit as Exit.Exit<A, E>, this.#f)
  }
}

export const mapExit = <A, E, B>(exit: Exit.Exit<A, E>, f: (value: A) => B): Exit.Exit<B, E> => {
  if (exit._tag === "Failure") return Exit.failCause(exit.cause)
  try {
    return Exit.succeed(f(exit.value))
  } catch (defect) {
    return Exit.die(defect)
  }
}

/** Goes on with every result; `next` cannot be interrupted, except where it allows it. */
export class AfterExitUninterruptibly<A, E, R, B, E2, R2> extends Following<
  A,
  E,
  R,
  B,
  E2,
  R | R2
> {
  readonly #next: Next<A, E, B, E2, R2>

  constructor(self: Pending<A, E, R>, next: Next<A, E, B, E2, R2>) {
    super(self)
    this.#next = next
  }

  next(exit: AnyExit, run: PendingRun): AnyEffect | undefined {
    // The result of `self`.
    const going = call(this.#next, exit as Exit.Exit<A, E>)
    return isExit(going) ? going : run.fork(going, true)
  }

  override asEffect(): Effect.Effect<B, E2, R | R2> {
    return runUninterruptibly(this.self, this.#next)
  }
}

export const call = <A, B, E, R>(
  step: (value: A) => Effect.Effect<B, E, R>,
  value: A
): Effect.Effect<B, E, R> => {
  try {
    return step(value)
  } catch (defect) {
    return Exit.die(defect)
  }
}

/** Called as methods, so that an object may have both. */
export interface Matching<A, E, B, C> {
  readonly onSuccess: (value: A) => B
  readonly onFailure: (error: E) => C
}

export const matchNow = <A, E, B, C>(
  exit: Exit.Exit<A, E>,
  options: Matching<A, E, B, C>
): Effect.Effect<B | C> => {
  try {
    return Effect.matchEager(exit, options)
  } catch (defect) {
    return Exit.die(defect)
  }
}

/** Makes a success of every result but a defect, unless the run is interrupted. */
export class Matched<A, E, R, B, C> extends Following<A, E, R, B | C, never, R> {
  readonly #options: Matching<A, E, B, C>

  constructor(self: Pending<A, E, R>, options: Matching<A, E, B, C>) {
    super(self)
    this.#options = options
  }

  next(exit: AnyExit, run: PendingRun): AnyEffect {
    // The result of `self`.
    return run.interruption ?? matchNow(exit as Exit.Exit<A, E>, this.#options)
  }
}

/** Goes on with another result: with every exit, unless the run is interrupted. */
export class MatchedCause<A, E, R, B, E2, R2> extends Following<A, E, R, B, E2, R | R2> {
  readonly #options: MatchingCause<A, E, B, E2, R2>

  constructor(self: Pending<A, E, R>, options: MatchingCause<A, E, B, E2, R2>) {
    super(self)
    this.#options = options
  }

  next(exit: AnyExit, run: PendingRun): AnyEffect {
    // The result of `self`.
    return run.interruption ?? matchCauseNow(exit as Exit.Exit<A, E>, this.#options)
  }
}

/** Called as methods, so that an object may have both. */
export interface MatchingCause<A, E, B, E2, R> {
  readonly onSuccess: (value: A) => Effect.Effect<B, E2, R>
  readonly onFailure: (cause: Cause.Cause<E>) => Effect.Effect<B, E2, R>
}

export const matchCauseNow = <A, E, B, E2, R>(
  exit: Exit.Exit<A, E>,
  options: MatchingCause<A, E, B, E2, R>
): Effect.Effect<B, E2, R> => {
  try {
    return exit._tag === "Success" ? options.onSuccess(exit.value) : options.onFailure(exit.cause)
  } catch (defect) {
    return Exit.die(defect)
  }
}

export const runUninterruptibly = <A, E, R, B, E2, R2>(
  self: Effect.Effect<A, E, R>,
  next: Next<A, E, B, E2, R2>
): Effect.Effect<B, E2, R | R2> =>
  Effect.uninterruptibleMask((restore) => Effect.flatMap(Effect.exit(restore(self)), next))

export class Interruptible<A, E, R> extends Pending<A, E, R> {
  readonly #self: Pending<A, E, R>

  constructor(self: Pending<A, E, R>) {
    super()
    this.#self = self
  }

  begin(): Pending<A, E, R> {
    return this.#self
  }

  override asEffect(): Effect.Effect<A, E, R> {
    return Effect.interruptible(this.#self)
  }
}

export class Provided<A, E, R, I, S> extends Pending<A, E, Exclude<R, I>> {
  readonly #self: Pending<A, E, R>
  readonly #key: Context.Key<I, S>
  readonly #service: S

  constructor(self: Pending<A, E, R>, key: Context.Key<I, S>, service: S) {
    super()
    this.#self = self
    this.#key = key
    this.#service = service
  }

  begin(run: PendingRun): Pending<A, E, R> {
    const { context } = run
    if (Context.getOrUndefined(context, this.#key) !== this.#service) {
      run.push(new Restored(context))
      run.context = Context.add(context, this.#key, this.#service)
    }
    return this.#self
  }
}

/** Gives a run its services back. */
class Restored implements Frame {
  readonly #context: Context.Context<never>

  constructor(context: Context.Context<never>) {
    this.#context = context
  }

  next(exit: AnyExit, run: PendingRun): AnyExit {
    run.context = this.#context
    return exit
  }
}
