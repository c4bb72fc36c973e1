/**
 * Effect's operators for the steps of a request. They act at once on a result that is there, and by a callback on a pending
 * effect (`Pending.ts`); every other effect goes to the operator of Effect. What a step throws is a defect in each case.
 */
import type * as Cause from "effect/Cause"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Result from "effect/Result"
import { isExit, isSuccess } from "./eager.ts"
import { isPending, type Pending } from "./Pending.ts"
import {
  AfterExit,
  AfterExitUninterruptibly,
  AfterSuccess,
  call,
  Interruptible,
  mapExit,
  Mapped,
  matchCauseNow,
  Matched,
  MatchedCause,
  type Matching,
  matchNow,
  type Next,
  Provided,
  runUninterruptibly
} from "./pendingSteps.ts"

export const map = <A, E, R, B>(
  self: Effect.Effect<A, E, R>,
  f: (value: A) => B
): Effect.Effect<B, E, R> => {
  if (isExit(self)) return mapExit(self, f)
  return isPending(self) ? new Mapped(self, f) : Effect.map(self, f)
}

export const flatMap = <A, E, R, B, E2, R2>(
  self: Effect.Effect<A, E, R>,
  next: (value: A) => Effect.Effect<B, E2, R2>
): Effect.Effect<B, E | E2, R | R2> => {
  if (!isExit(self)) {
    return isPending(self) ? new AfterSuccess(self, next) : Effect.flatMap(self, next)
  }
  return self._tag === "Success" ? call(next, self.value) : Exit.failCause(self.cause)
}

/** `flatMap` to a function that needs `given` as well, without a closure where nothing has to be waited for. */
export const flatMapWith = <A, E, R, Given, B, E2, R2>(
  self: Effect.Effect<A, E, R>,
  next: (value: A, given: Given) => Effect.Effect<B, E2, R2>,
  given: Given
): Effect.Effect<B, E | E2, R | R2> => {
  if (!isSuccess(self)) return flatMapLater(self, next, given)
  try {
    return next(self.value, given)
  } catch (defect) {
    return Exit.die(defect)
  }
}

/** Apart, because a function with a closure allocates for it even where it makes none. */
const flatMapLater = <A, E, R, Given, B, E2, R2>(
  self: Effect.Effect<A, E, R>,
  next: (value: A, given: Given) => Effect.Effect<B, E2, R2>,
  given: Given
): Effect.Effect<B, E | E2, R | R2> => flatMap(self, (value) => next(value, given))

/** `self` with another result; `change` goes on from the result, `operate` is the operator of Effect for it. */
const changeExit = <A, E, R, B, E2, R2>(
  self: Effect.Effect<A, E, R>,
  change: (exit: Exit.Exit<A, E>) => Effect.Effect<B, E2, R2>,
  operate: (self: Effect.Effect<A, E, R>) => Effect.Effect<B, E2, R | R2>
): Effect.Effect<B, E2, R | R2> => {
  if (isExit(self)) return call(change, self)
  return isPending(self) ? new AfterExit(self, change) : operate(self)
}

export const mapError = <A, E, R, E2>(
  self: Effect.Effect<A, E, R>,
  f: (error: E) => E2
): Effect.Effect<A, E2, R> =>
  changeExit(
    self,
    (exit): Exit.Exit<A, E2> => Exit.mapError(exit, f),
    (self) => Effect.mapError(self, f)
  )

/** `Effect.catch`. */
export const catchError = <A, E, R, B, E2, R2>(
  self: Effect.Effect<A, E, R>,
  next: (error: E) => Effect.Effect<B, E2, R2>
): Effect.Effect<A | B, E2, R | R2> =>
  changeExit(
    self,
    (exit): Effect.Effect<A | B, E2, R2> => Effect.catchEager(exit, next),
    (self) => self.pipe(Effect.catch(next))
  )

/** `Effect.match`. */
export const match = <A, E, R, B, C>(
  self: Effect.Effect<A, E, R>,
  options: Matching<A, E, B, C>
): Effect.Effect<B | C, never, R> => {
  if (isExit(self)) return matchNow(self, options)
  return isPending(self) ? new Matched(self, options) : matchLater(self, options)
}

const matchLater = <A, E, R, B, C>(
  self: Effect.Effect<A, E, R>,
  options: Matching<A, E, B, C>
): Effect.Effect<B | C, never, R> =>
  Effect.match(self, {
    onSuccess: (value) => options.onSuccess(value),
    onFailure: (error) => options.onFailure(error)
  })

/** `Effect.matchCauseEffect`. */
export const matchCause = <A, E, R, B, E2, R2, C, E3, R3>(
  self: Effect.Effect<A, E, R>,
  options: {
    readonly onSuccess: (value: A) => Effect.Effect<B, E2, R2>
    readonly onFailure: (cause: Cause.Cause<E>) => Effect.Effect<C, E3, R3>
  }
): Effect.Effect<B | C, E2 | E3, R | R2 | R3> =>
  isExit(self)
    ? matchCauseNow<A, E, B | C, E2 | E3, R2 | R3>(self, options)
    : isPending(self)
      ? new MatchedCause<A, E, R, B | C, E2 | E3, R2 | R3>(self, options)
      : Effect.matchCauseEffect(self, {
          onSuccess: (value) => options.onSuccess(value),
          onFailure: (cause) => options.onFailure(cause)
        })

/** `Effect.result`. */
export const result = <A, E, R>(
  self: Effect.Effect<A, E, R>
): Effect.Effect<Result.Result<A, E>, never, R> =>
  match(self, { onSuccess: toSuccess<A, E>, onFailure: toFailure<A, E> })

const toSuccess = <A, E>(value: A): Result.Result<A, E> => Result.succeed(value)
const toFailure = <A, E>(error: E): Result.Result<A, E> => Result.fail(error)

/** Goes on with the result of `self`, also after an interruption; `next` cannot be interrupted. */
export const thenUninterruptibly = <A, E, R, B, E2, R2>(
  self: Effect.Effect<A, E, R>,
  next: (exit: Exit.Exit<A, E>) => Effect.Effect<B, E2, R2>
): Effect.Effect<B, E2, R | R2> => {
  if (isPending(self)) return new AfterExitUninterruptibly(self, next)
  return isExit(self) ? nextUninterruptibly(self, next) : runUninterruptibly(self, next)
}

const nextUninterruptibly = <A, E, B, E2, R>(
  exit: Exit.Exit<A, E>,
  next: Next<A, E, B, E2, R>
): Effect.Effect<B, E2, R> => {
  const going = call(next, exit)
  return isExit(going) ? going : Effect.uninterruptible(going)
}

/** `Effect.onExit`, which also runs at once. */
export const onExit = <A, E, R, R2>(
  self: Effect.Effect<A, E, R>,
  finalize: (exit: Exit.Exit<A, E>) => Effect.Effect<void, never, R2>
): Effect.Effect<A, E, R | R2> => {
  if (isPending(self)) return finalizeLater(self, finalize)
  return isExit(self) ? finalizeNow(self, finalize) : Effect.onExit(self, finalize)
}

const finalizeNow = <A, E, R>(
  exit: Exit.Exit<A, E>,
  finalize: (exit: Exit.Exit<A, E>) => Effect.Effect<void, never, R>
): Effect.Effect<A, E, R> => {
  const finalizer = call(finalize, exit)
  return isExit(finalizer) && Exit.isSuccess(finalizer)
    ? exit
    : Effect.onExit(exit, () => finalizer)
}

const finalizeLater = <A, E, R, R2>(
  self: Pending<A, E, R>,
  finalize: (exit: Exit.Exit<A, E>) => Effect.Effect<void, never, R2>
): Pending<A, E, R | R2> =>
  new AfterExitUninterruptibly(self, (exit) => finalizeNow(exit, finalize))

/** `Effect.interruptible`. */
export const interruptible = <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
  if (isExit(self)) return self
  return isPending(self) ? new Interruptible(self) : Effect.interruptible(self)
}

/** `Effect.provideService`. */
export const provideService = <A, E, R, I, S>(
  self: Effect.Effect<A, E, R>,
  key: Context.Key<I, S>,
  service: S
): Effect.Effect<A, E, Exclude<R, I>> => {
  if (isExit(self)) return self
  return isPending(self)
    ? new Provided(self, key, service)
    : Effect.provideService(self, key, service)
}
