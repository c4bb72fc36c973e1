/** Runs a stream up to its last event, with timeouts, so that the attempt engine can treat it like an answer. */
import type * as Cause from "effect/Cause"
import type * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { SettingsShape } from "../../instance/Settings.ts"
import {
  type FailurePhase,
  UpstreamFailure
} from "../../engine/upstreams/failures/UpstreamFailure.ts"
import { CurrentConnectionWait } from "../../engine/upstreams/transport/sendOnce.ts"
import { evaluate, isExit } from "../../values/eager.ts"
import { Pending, type PendingRun } from "../../values/Pending.ts"
import type { PendingRuns } from "../../values/PendingRuns.ts"
import type { Push, PushStream } from "../../values/push/PushStream.ts"
import { readMonotonicMillis } from "../../values/SteadyTime.ts"
import { startTimer, type Timer } from "../../values/startTimer.ts"
import * as Step from "../../values/Step.ts"

export interface StreamOptions<A> {
  readonly clock: Clock.Clock
  readonly settings: Pick<SettingsShape, "firstEventTimeoutMillis" | "streamIdleTimeoutMillis">
  /** Whether the event is the last of a complete stream. */
  readonly isTerminal: (event: A) => boolean
  /** Outlive the request: a complete stream is read to its end there, so that its connection can be reused. */
  readonly afterwards: PendingRuns
}

/**
 * Passes the events of `source` to `push`. Completes when it has taken an event for which `isTerminal` holds. Fails when
 * `source` or `push` fails, when no event arrives in time, and when the stream ends without a terminal event: a truncated
 * stream is never a clean end. The time that `push` makes the source wait does not count.
 *
 * The source has ended when this fails or is interrupted. It needs no fiber unless it is one of effects, and has one timer.
 */
export const runStream = <A, R>(
  source: PushStream<A, UpstreamFailure, R>,
  push: (events: ReadonlyArray<A>) => Effect.Effect<void, UpstreamFailure>,
  options: StreamOptions<A>
): Effect.Effect<void, UpstreamFailure, R> => new PushedStream(source, push, options)

type Outcome = Exit.Exit<void, UpstreamFailure>

class PushedStream<A, R> extends Pending<void, UpstreamFailure, R> {
  readonly #source: PushStream<A, UpstreamFailure, R>
  readonly #push: (events: ReadonlyArray<A>) => Effect.Effect<void, UpstreamFailure>
  readonly #options: StreamOptions<A>

  constructor(
    source: PushStream<A, UpstreamFailure, R>,
    push: (events: ReadonlyArray<A>) => Effect.Effect<void, UpstreamFailure>,
    options: StreamOptions<A>
  ) {
    super()
    this.#source = source
    this.#push = push
    this.#options = options
  }

  begin(run: PendingRun): Outcome | undefined {
    const reading = new Reading(run, this.#push, this.#options)
    return reading.start(this.#source)
  }
}

/** One run of a stream. */
class Reading<A> {
  readonly #run: PendingRun
  readonly #push: (events: ReadonlyArray<A>) => Effect.Effect<void, UpstreamFailure>
  readonly #options: StreamOptions<A>
  readonly #startedAt: number
  /** The source. */
  readonly #running: PendingRun
  #lastEventAt: number | undefined
  /** The reader is behind. */
  #isWaiting = false
  #isTerminated = false
  #outcome: Outcome | undefined
  #isSourceOver = false
  /** What the run goes on with when the source has ended. */
  #atEnd: Exit.Exit<void, UpstreamFailure> | undefined
  /** How it ended while it began. */
  #early: Outcome | undefined
  #isBeginning = true
  #timer: Timer

  constructor(
    run: PendingRun,
    push: (events: ReadonlyArray<A>) => Effect.Effect<void, UpstreamFailure>,
    options: StreamOptions<A>
  ) {
    const { afterwards, clock, settings } = options
    this.#run = run
    this.#push = push
    this.#options = options
    this.#startedAt = readMonotonicMillis(clock)
    this.#timer = startTimer(clock, settings.firstEventTimeoutMillis, this.#checkTime)
    this.#running = afterwards.add(run.context, (exit) => this.#handleSourceEnd(exit), run)
  }

  start(source: PushStream<A, UpstreamFailure, unknown>): Outcome | undefined {
    this.#run.onInterrupt(this)
    this.#running.go(evaluate(() => source.run(this.#receive)))
    this.#isBeginning = false
    if (this.#early !== undefined) this.#run.onInterrupt(undefined)
    return this.#early
  }

  #settle(outcome: Outcome): void {
    if (this.#outcome !== undefined) return
    this.#outcome = outcome
    this.#timer.stop()
    if (this.#isSourceOver) this.#end(outcome)
    else if (Exit.isFailure(outcome)) {
      this.#atEnd = outcome
      this.#running.interrupt()
    } else {
      const { clock } = this.#options
      this.#timer = startTimer(clock, drainTimeoutMillis, () => this.#running.interrupt())
      this.#end(outcome)
    }
  }

  #end(outcome: Outcome): void {
    if (this.#isBeginning) this.#early = outcome
    else this.#run.resume(outcome)
  }

  #handleSourceEnd(exit: Exit.Exit<unknown, unknown>): void {
    this.#isSourceOver = true
    // The result of the source.
    this.#settle(Exit.isSuccess(exit) ? Exit.fail(truncatedStream) : (exit as Outcome))
    this.#timer.stop()
    if (this.#atEnd !== undefined) this.#end(this.#atEnd)
  }

  interrupt(annotations: Context.Context<never> | undefined): void {
    this.#outcome ??= Exit.void
    this.#timer.stop()
    this.#atEnd = this.#run.interruption
    this.#running.interrupt(annotations)
  }

  readonly #checkTime = (): void => {
    const { clock, settings } = this.#options
    const now = readMonotonicMillis(clock)
    const [since, timeoutMillis] =
      this.#lastEventAt === undefined
        ? [this.#startedAt + this.#getQueuedMillis(), settings.firstEventTimeoutMillis]
        : [this.#isWaiting ? now : this.#lastEventAt, settings.streamIdleTimeoutMillis]
    const remaining = since + timeoutMillis - now
    if (remaining > 0) this.#timer = startTimer(clock, remaining, this.#checkTime)
    else this.#fail(this.#lastEventAt === undefined ? "first_event" : "between_events")
  }

  #getQueuedMillis(): number {
    return Context.get(this.#run.context, CurrentConnectionWait)?.getQueuedMillis() ?? 0
  }

  #fail(phase: FailurePhase): void {
    this.#settle(Exit.fail(new UpstreamFailure({ kind: "timeout", phase })))
  }

  readonly #receive: Push<A> = (events) => {
    if (this.#outcome !== undefined) return Effect.void
    const isFirst = this.#lastEventAt === undefined
    this.#lastEventAt = readMonotonicMillis(this.#options.clock)
    if (isFirst) {
      this.#timer.stop()
      this.#checkTime()
    }
    this.#isTerminated = events.some(this.#options.isTerminal)
    const taken = this.#pushOrDie(events)
    if (!isExit(taken)) {
      this.#isWaiting = true
      return Step.matchCause(taken, { onFailure: this.#stop, onSuccess: this.#handleTaken })
    }
    if (Exit.isFailure(taken)) return this.#stop(taken.cause)
    if (this.#isTerminated) this.#settle(Exit.void)
    return Effect.void
  }

  /** A defect here is not one of the source. */
  #pushOrDie(events: ReadonlyArray<A>): Effect.Effect<void, UpstreamFailure> {
    try {
      return this.#push(events)
    } catch (defect) {
      return Effect.die(defect)
    }
  }

  readonly #stop = (cause: Cause.Cause<UpstreamFailure>): Effect.Effect<never> => {
    this.#settle(Exit.failCause(cause))
    return Effect.never
  }

  readonly #handleTaken = (): Effect.Effect<void> => {
    this.#isWaiting = false
    this.#lastEventAt = readMonotonicMillis(this.#options.clock)
    if (this.#isTerminated) this.#settle(Exit.void)
    return Effect.void
  }
}

/** The end of a response usually arrives with its last event. */
const drainTimeoutMillis = 1_000

const truncatedStream = new UpstreamFailure({
  kind: "invalid_answer",
  detail: "the stream ended before it was complete"
})
