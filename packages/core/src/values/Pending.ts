/**
 * Effects that may also be awaited by a callback. A request that waits for its body or its upstream then needs no fiber,
 * and what waits and what has its result at hand run through the same steps (`Step.ts`).
 */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Effectable from "effect/Effectable"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { constVoid } from "effect/Function"
import { evaluate, isExit } from "./eager.ts"

/** An effect that waits by a callback. Like every effect it does nothing before it is run, and may run again. */
export abstract class Pending<A, E = never, R = never> extends Effectable.Class<A, E, R> {
  /**
   * Begins, and returns the effect with whose result the run goes on; undefined: something outside calls `run.resume` later.
   */
  abstract begin(run: PendingRun): AnyEffect | undefined

  /** How a fiber runs it. */
  asEffect(): Effect.Effect<A, E, R> {
    return runInFiber(this)
  }
}

/** Whether an effect waits by a callback, so that running it needs no fiber. */
export const isPending = <A, E, R>(effect: Effect.Effect<A, E, R>): effect is Pending<A, E, R> =>
  effect instanceof Pending

/** The steps of one run have results of different types, as those of a fiber have. */
export type AnyExit = Exit.Exit<unknown, unknown>
export type AnyEffect = Effect.Effect<unknown, unknown, unknown>

/** A step that follows another one. */
export interface Frame {
  /** The effect with whose result the run goes on; undefined: it goes on later. */
  readonly next: (exit: AnyExit, run: PendingRun) => AnyEffect | undefined
}

/** One run of an effect: the services it sees, the steps that follow, and what ends the step that it waits for. */
export class PendingRun {
  /** A step may replace it while it lasts. */
  context: Context.Context<never>
  readonly #done: ((exit: AnyExit) => void) | undefined
  readonly #frames: Array<Frame> = []
  readonly #asyncScope: AsyncScope | undefined
  #interruption: Exit.Exit<never> | undefined = undefined
  #annotations: Context.Context<never> | undefined = undefined
  #waiting: Interruptable | undefined = undefined

  /** `done` receives the result, once; absent: `end` does. `outer`: the run that this one is a step of. */
  constructor(
    context: Context.Context<never>,
    done: ((exit: AnyExit) => void) | undefined,
    outer?: PendingRun
  ) {
    this.context = context
    this.#done = done
    this.#asyncScope = outer === undefined ? captureAsyncScope() : outer.#asyncScope
  }

  /** How it ends, once it is interrupted. */
  get interruption(): Exit.Exit<never> | undefined {
    return this.#interruption
  }

  /** Goes on with `frame` after the effect that the caller returns. */
  push(frame: Frame): void {
    this.#frames.push(frame)
  }

  /** Runs `effect`, then the steps that follow, until one of them has to be waited for. Never throws. */
  go(effect: AnyEffect): void {
    let current: AnyEffect | undefined = effect
    while (current !== undefined) {
      if (isPending(current)) {
        current = this.#interruption ?? this.#begin(current)
      } else if (isExit(current)) {
        const frame = this.#frames.pop()
        if (frame === undefined) return this.end(current)
        current = frame.next(current, this)
      } else {
        current = this.#interruption ?? this.fork(current, false)
      }
    }
  }

  /**
   * Runs an effect in a fiber, and returns its result if that is there at once; else goes on later. `isUninterruptible`: an
   * interruption of the run ends it only where it allows that.
   */
  fork(effect: AnyEffect, isUninterruptible: boolean): AnyExit | undefined {
    // A run has the services of what it runs, which types cannot express without a fiber.
    const fiber = Effect.runForkWith(this.context)(effect as Effect.Effect<unknown, unknown>, {
      uninterruptible: isUninterruptible
    })
    const exit = fiber.pollUnsafe()
    if (exit !== undefined) return exit
    this.onInterrupt({
      interrupt: (annotations) => fiber.interruptUnsafe(undefined, annotations)
    })
    fiber.addObserver((exit) => {
      this.onInterrupt(undefined)
      this.enter(() => this.go(exit))
    })
    return undefined
  }

  /** Goes on with the result of a step that was waited for. */
  resume(effect: AnyEffect): void {
    this.onInterrupt(undefined)
    if (this.#asyncScope === undefined) PendingRun.#goOn(this, effect)
    else this.#asyncScope.runInAsyncScope(PendingRun.#goOn, undefined, this, effect)
  }

  /** Calls `step` in the asynchronous scope of this run, which may have ended. */
  callBack<Given>(step: (given: Given) => void, given: Given): void {
    if (this.#asyncScope === undefined) step(given)
    else this.#asyncScope.runInAsyncScope(step, undefined, given)
  }

  /** Ends the step that is waited for; later steps do not begin. Nothing happens the second time. */
  interrupt(annotations?: Context.Context<never>): void {
    if (this.#interruption !== undefined) return
    const cause = Cause.interrupt()
    this.#annotations = annotations
    this.#interruption = Exit.failCause(
      annotations === undefined ? cause : Cause.annotate(cause, annotations)
    )
    this.#waiting?.interrupt(annotations)
  }

  /** What an interruption ends from now on; undefined: nothing waits. */
  onInterrupt(waiting: Interruptable | undefined): void {
    this.#waiting = waiting
    if (waiting !== undefined && this.#interruption !== undefined) {
      waiting.interrupt(this.#annotations)
    }
  }

  /** Receives the result, once. */
  protected end(exit: AnyExit): void {
    this.#done?.(exit)
  }

  /** Calls `step`, which sees the services of this run as `getCurrentRef` does. */
  enter<A>(step: () => A): A {
    const outer = setCurrent(this)
    try {
      return step()
    } finally {
      setCurrent(outer)
    }
  }

  #begin(effect: Pending<unknown, unknown, unknown>): AnyEffect | undefined {
    try {
      return effect.begin(this)
    } catch (defect) {
      return Exit.die(defect)
    }
  }

  static readonly #goOn = (run: PendingRun, effect: AnyEffect): void =>
    run.enter(() => run.go(effect))
}

/**
 * Node calls back in the asynchronous scope of a connection; the functions of a host expect that of their request, with its
 * `AsyncLocalStorage`. Effect's fibers restore it, too.
 */
const { AsyncResource } = ((globalThis as NodeGlobals).process?.getBuiltinModule?.(
  "node:async_hooks"
) ?? {}) as { readonly AsyncResource?: new (type: string) => AsyncScope }

interface NodeGlobals {
  readonly process?: { readonly getBuiltinModule?: (name: string) => object | undefined }
}

interface AsyncScope {
  readonly runInAsyncScope: <Given extends ReadonlyArray<unknown>>(
    step: (...given: Given) => void,
    self: undefined,
    ...given: Given
  ) => void
}

/** What runs in it later has the asynchronous scope of now; undefined: the platform has none. */
export const captureAsyncScope = (): AsyncScope | undefined =>
  AsyncResource === undefined ? undefined : new AsyncResource("signalbox/PendingRun")

/** A wait that an interruption ends, such as another run. */
export interface Interruptable {
  readonly interrupt: (annotations: Context.Context<never> | undefined) => void
}

let current: PendingRun | undefined

const setCurrent = (run: PendingRun | undefined): PendingRun | undefined => {
  const outer = current
  current = run
  return outer
}

/** The value of a reference in the running fiber, else in the run whose step this is; undefined outside of both. */
export const getCurrentRef = <A>(reference: Context.Reference<A>): A | undefined => {
  const fiber = Fiber.getCurrent()
  if (fiber !== undefined) return fiber.getRef(reference)
  return current === undefined ? undefined : Context.get(current.context, reference)
}

const runInFiber = <A, E, R>(self: Pending<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.withFiber(({ context }) =>
    Effect.callback((resume) => {
      let hasEnded = false
      let onEnd = constVoid
      const run = new PendingRun(context, (exit) => {
        hasEnded = true
        // The result of `self`.
        resume(exit as Exit.Exit<A, E>)
        onEnd()
      })
      run.go(self)
      return Effect.callback<void>((resume) => {
        if (hasEnded) return resume(Effect.void)
        onEnd = () => resume(Effect.void)
        run.interrupt()
      })
    })
  )

/** A pending effect that `register` resumes, once. `register` returns what gives up the wait. */
export const fromCallback = <A, E = never, R = never>(register: Register<A, E>): Pending<A, E, R> =>
  new Callback(register)

type Register<A, E> = (
  resume: (next: Effect.Effect<A, E>) => void,
  context: Context.Context<never>
) => () => void

class Callback<A, E, R> extends Pending<A, E, R> {
  readonly #register: Register<A, E>

  constructor(register: Register<A, E>) {
    super()
    this.#register = register
  }

  begin(run: PendingRun): Effect.Effect<A, E> | undefined {
    let isRegistering = true
    let isOver = false
    let early: Effect.Effect<A, E> | undefined
    const cancel = this.#register((next) => {
      if (isOver) return
      isOver = true
      if (isRegistering) early = next
      else run.resume(next)
    }, run.context)
    isRegistering = false
    if (isOver) return early
    run.onInterrupt({
      interrupt: () => {
        isOver = true
        cancel()
        if (run.interruption !== undefined) run.resume(run.interruption)
      }
    })
    return undefined
  }
}

/** Begins the effect that `make` returns for the services of the run. */
export const withContext = <A, E, R>(
  make: (context: Context.Context<never>) => Effect.Effect<A, E, R>
): Pending<A, E, R> => new WithContext(make)

class WithContext<A, E, R> extends Pending<A, E, R> {
  readonly #make: (context: Context.Context<never>) => Effect.Effect<A, E, R>

  constructor(make: (context: Context.Context<never>) => Effect.Effect<A, E, R>) {
    super()
    this.#make = make
  }

  begin(run: PendingRun): Effect.Effect<A, E, R> {
    return evaluate(() => this.#make(run.context))
  }
}
