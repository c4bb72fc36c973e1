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

/** Receives the result, once. */
type Done<A, E> = (exit: Exit.Exit<A, E>) => void

/** An effect that waits by a callback. Like every effect it does nothing before it is run, and may run again. */
export abstract class Pending<A, E = never, R = never> extends Effectable.Class<A, E, R> {
  /** Begins; `done` may be called before it returns. After an interruption `done` is called all the same. */
  abstract start(run: PendingRun, done: Done<A, E>): void

  /** How a fiber runs it. */
  asEffect(): Effect.Effect<A, E, R> {
    return runInFiber(this)
  }
}

export const isPending = <A, E, R>(effect: Effect.Effect<A, E, R>): effect is Pending<A, E, R> =>
  effect instanceof Pending

/** One run of a pending effect: the services it sees, and what ends the step that it waits for. */
export class PendingRun {
  /** A step may replace it while it lasts. */
  context: Context.Context<never>
  #interruption: Exit.Exit<never> | undefined = undefined
  #annotations: Context.Context<never> | undefined = undefined
  #cancel: Cancel | undefined = undefined
  readonly #asyncScope: AsyncScope | undefined

  /** `outer`: the run that this one is a step of. */
  constructor(context: Context.Context<never>, outer?: PendingRun) {
    this.context = context
    this.#asyncScope = outer === undefined ? captureAsyncScope() : outer.#asyncScope
  }

  /** How it ends, once it is interrupted. */
  get interruption(): Exit.Exit<never> | undefined {
    return this.#interruption
  }

  /** Ends the step that is waited for; later steps do not begin. Nothing happens the second time. */
  interrupt(annotations?: Context.Context<never>): void {
    if (this.#interruption !== undefined) return
    const cause = Cause.interrupt()
    this.#annotations = annotations
    this.#interruption = Exit.failCause(
      annotations === undefined ? cause : Cause.annotate(cause, annotations)
    )
    this.#cancel?.(annotations)
  }

  /** What an interruption does from now on; undefined: nothing waits. */
  onInterrupt(cancel: Cancel | undefined): void {
    this.#cancel = cancel
    if (cancel !== undefined && this.#interruption !== undefined) cancel(this.#annotations)
  }

  /** `enter` for a step that something outside of the run calls back. */
  resume(step: () => void): void {
    if (this.#asyncScope === undefined) this.enter(step)
    else this.#asyncScope.runInAsyncScope(() => this.enter(step))
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

const captureAsyncScope = (): AsyncScope | undefined =>
  AsyncResource === undefined ? undefined : new AsyncResource("signalbox/PendingRun")

interface AsyncScope {
  readonly runInAsyncScope: <A>(step: () => A) => A
}

type Cancel = (annotations: Context.Context<never> | undefined) => void

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

const runInFiber = <A, E>(self: Pending<A, E, unknown>): Effect.Effect<A, E> =>
  Effect.withFiber(({ context }) =>
    Effect.callback((resume) => {
      const run = new PendingRun(context)
      let hasEnded = false
      let onEnd = constVoid
      self.start(run, (exit) => {
        hasEnded = true
        resume(exit)
        onEnd()
      })
      return Effect.callback<void>((resume) => {
        if (hasEnded) return resume(Effect.void)
        onEnd = () => resume(Effect.void)
        run.interrupt()
      })
    })
  )

/** `register` resumes it, once, and returns what gives up the wait. */
class Callback<A, E, R> extends Pending<A, E, R> {
  readonly #register: Register<A, E>

  constructor(register: Register<A, E>) {
    super()
    this.#register = register
  }

  start(run: PendingRun, done: Done<A, E>): void {
    let isOver = false
    let isRegistering = true
    const resume = (next: Effect.Effect<A, E>): void => {
      if (isOver) return
      isOver = true
      run.onInterrupt(undefined)
      if (isRegistering) start(next, run, done)
      else run.resume(() => start(next, run, done))
    }
    const cancel = this.#register(resume, run.context)
    isRegistering = false
    if (isOver) return
    run.onInterrupt(() => {
      isOver = true
      cancel()
      if (run.interruption !== undefined) done(run.interruption)
    })
  }
}

type Register<A, E> = (
  resume: (next: Effect.Effect<A, E>) => void,
  context: Context.Context<never>
) => () => void

export const fromCallback = <A, E = never, R = never>(register: Register<A, E>): Pending<A, E, R> =>
  new Callback(register)

/**
 * Runs any effect and calls `done` with its result. `isUninterruptible`: it also begins, and goes on, when the run is
 * interrupted, except where it allows interruptions itself.
 */
export const start = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  run: PendingRun,
  done: Done<A, E>,
  isUninterruptible = false
): void => {
  if (isExit(effect)) return done(effect)
  if (!isUninterruptible) {
    if (run.interruption !== undefined) return done(run.interruption)
    if (isPending(effect)) return effect.start(run, done)
  }
  // A run has the services of what it runs, which types cannot express without a fiber.
  const fiber = Effect.runForkWith(run.context)(effect as Effect.Effect<A, E>, {
    uninterruptible: isUninterruptible
  })
  const exit = fiber.pollUnsafe()
  if (exit !== undefined) return done(exit)
  run.onInterrupt((annotations) => fiber.interruptUnsafe(undefined, annotations))
  fiber.addObserver((exit) => {
    run.onInterrupt(undefined)
    run.enter(() => done(exit))
  })
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

  start(run: PendingRun, done: Done<A, E>): void {
    start(
      evaluate(() => this.#make(run.context)),
      run,
      done
    )
  }
}

/**
 * Begins `self` in a run of its own, with the services of `context`. An interruption of `run` interrupts it; its own
 * interruption leaves `run` as it is.
 */
export const startInner = <A, E, R>(
  self: Effect.Effect<A, E, R>,
  run: PendingRun,
  context: Context.Context<never>,
  done: Done<A, E>
): PendingRun => {
  const inner = new PendingRun(context, run)
  run.onInterrupt((annotations) => inner.interrupt(annotations))
  start(self, inner, (exit) => {
    run.onInterrupt(undefined)
    run.enter(() => done(exit))
  })
  return inner
}
