/** Runs an effect until a deadline, with one timer, and one fiber unless the effect needs none. */
import type * as Clock from "effect/Clock"
import type * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import { type AnyExit, Pending, PendingRun } from "./Pending.ts"
import { startTimer, type Timer } from "./startTimer.ts"

/** What a deadline means. */
export interface DeadlineRules<A, E> {
  /** How the effect ends when its time is over, or for how many milliseconds it goes on. */
  readonly onTimeout: () => Exit.Exit<A, E> | number
  /** Adds references to its context, without the cost of `Effect.provideService`. Absent: it has the context of the caller. */
  readonly provide?: (context: Context.Context<never>) => Context.Context<never>
}

/**
 * `millis` is how long it may take. The effect is interrupted before the result is there, at a timeout as well as when the
 * caller is interrupted.
 */
export const withTimer = <A, E, R, E2 = never>(
  effect: Effect.Effect<A, E, R>,
  clock: Clock.Clock,
  millis: number,
  rules: DeadlineRules<A, E2>
): Effect.Effect<A, E | E2, R> => new Timed(effect, clock, millis, rules)

class Timed<A, E, R, E2> extends Pending<A, E | E2, R> {
  readonly #self: Effect.Effect<A, E, R>
  readonly #clock: Clock.Clock
  readonly #millis: number
  readonly #rules: DeadlineRules<A, E2>

  constructor(
    self: Effect.Effect<A, E, R>,
    clock: Clock.Clock,
    millis: number,
    rules: DeadlineRules<A, E2>
  ) {
    super()
    this.#self = self
    this.#clock = clock
    this.#millis = millis
    this.#rules = rules
  }

  begin(run: PendingRun): AnyExit | undefined {
    return new TimedRun(run, this.#clock, this.#rules).start(this.#self, this.#millis)
  }
}

/** Runs the effect of a deadline. */
class TimedRun<A, E> extends PendingRun {
  readonly #outer: PendingRun
  readonly #clock: Clock.Clock
  readonly #rules: DeadlineRules<A, E>
  #timer: Timer | undefined
  #timedOut: Exit.Exit<A, E> | undefined
  /** The result while it begins. */
  #early: AnyExit | undefined
  #isBeginning = true
  #hasEnded = false

  constructor(outer: PendingRun, clock: Clock.Clock, rules: DeadlineRules<A, E>) {
    super(rules.provide?.(outer.context) ?? outer.context, undefined, outer)
    this.#outer = outer
    this.#clock = clock
    this.#rules = rules
  }

  start(effect: Effect.Effect<unknown, unknown, unknown>, millis: number): AnyExit | undefined {
    this.#outer.onInterrupt(this)
    this.go(effect)
    this.#isBeginning = false
    if (this.#early === undefined) this.#wait(millis)
    return this.#early
  }

  protected override end(exit: AnyExit): void {
    if (this.#isBeginning) this.#early = exit
    else {
      this.#hasEnded = true
      this.#timer?.stop()
      this.#outer.resume(this.#timedOut ?? exit)
    }
  }

  #wait(millis: number): void {
    this.#timer = startTimer(this.#clock, millis, this)
  }

  onTime(): void {
    const end = this.#rules.onTimeout()
    // What the rules start may interrupt the effect at once.
    if (this.#hasEnded) return
    if (typeof end === "number") return this.#wait(end)
    this.#timedOut = end
    this.interrupt()
  }
}
