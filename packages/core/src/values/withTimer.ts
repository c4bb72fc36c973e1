/** Runs an effect until a deadline, with one timer, and one fiber unless the effect needs none. */
import type * as Clock from "effect/Clock"
import type * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import { constVoid, identity } from "effect/Function"
import { type AnyExit, Pending, PendingRun } from "./Pending.ts"
import { startTimer } from "./startTimer.ts"

/**
 * After `millis`, `onTimeout` returns how the effect ends, or for how many milliseconds it goes on. The effect is
 * interrupted before the result is there, at a timeout as well as when the caller is interrupted. `provide` adds references
 * to its context, without the cost of `Effect.provideService`.
 */
export const withTimer = <A, E, R, E2 = never>(
  effect: Effect.Effect<A, E, R>,
  clock: Clock.Clock,
  millis: number,
  onTimeout: () => Exit.Exit<A, E2> | number,
  provide?: (context: Context.Context<never>) => Context.Context<never>
): Effect.Effect<A, E | E2, R> => new Timed(effect, clock, millis, onTimeout, provide)

class Timed<A, E, R, E2> extends Pending<A, E | E2, R> {
  readonly #self: Effect.Effect<A, E, R>
  readonly #clock: Clock.Clock
  readonly #millis: number
  readonly #onTimeout: () => Exit.Exit<A, E2> | number
  readonly #provide: (context: Context.Context<never>) => Context.Context<never>

  constructor(
    self: Effect.Effect<A, E, R>,
    clock: Clock.Clock,
    millis: number,
    onTimeout: () => Exit.Exit<A, E2> | number,
    provide: (context: Context.Context<never>) => Context.Context<never> = identity
  ) {
    super()
    this.#self = self
    this.#clock = clock
    this.#millis = millis
    this.#onTimeout = onTimeout
    this.#provide = provide
  }

  begin(run: PendingRun): AnyExit | undefined {
    let timedOut: Exit.Exit<A, E2> | undefined
    let early: AnyExit | undefined
    let isBeginning = true
    let stop = constVoid
    const inner = new PendingRun(
      this.#provide(run.context),
      (exit) => {
        if (isBeginning) early = exit
        else {
          stop()
          run.resume(timedOut ?? exit)
        }
      },
      run
    )
    const wait = (millis: number): void => {
      stop = startTimer(this.#clock, millis, () => {
        const end = this.#onTimeout()
        if (typeof end === "number") return wait(end)
        timedOut = end
        inner.interrupt()
      })
    }
    run.onInterrupt((annotations) => inner.interrupt(annotations))
    inner.go(this.#self)
    isBeginning = false
    if (early === undefined) wait(this.#millis)
    return early
  }
}
