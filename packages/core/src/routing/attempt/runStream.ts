/** Runs a stream up to its last event, with timeouts, so that the attempt engine can treat it like an answer. */
import type * as Cause from "effect/Cause"
import type * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import type { SettingsShape } from "../../instance/Settings.ts"
import {
  type FailurePhase,
  UpstreamFailure
} from "../../engine/upstreams/failures/UpstreamFailure.ts"
import { CurrentConnectionWait } from "../../engine/upstreams/transport/sendOnce.ts"
import { isExit } from "../../values/eager.ts"
import type { Push, PushStream } from "../../values/push/PushStream.ts"
import { readMonotonicMillis } from "../../values/readMonotonicMillis.ts"
import { startTimer } from "../../values/startTimer.ts"

export interface StreamOptions<A> {
  readonly clock: Clock.Clock
  readonly settings: Pick<SettingsShape, "firstEventTimeoutMillis" | "streamIdleTimeoutMillis">
  /** Whether the event is the last of a complete stream. */
  readonly isTerminal: (event: A) => boolean
  /** Outlives the request: a complete stream is read to its end here, so that its connection can be reused. */
  readonly afterwards: Scope.Scope
}

/**
 * Passes the events of `source` to `push`. Completes when it has taken an event for which `isTerminal` holds. Fails when
 * `source` or `push` fails, when no event arrives in time, and when the stream ends without a terminal event: a truncated
 * stream is never a clean end. The time that `push` makes the source wait does not count.
 *
 * The source has ended when this fails or is interrupted. It runs in one fiber, and has one timer.
 */
export const runStream = <A, R>(
  source: PushStream<A, UpstreamFailure, R>,
  push: (events: ReadonlyArray<A>) => Effect.Effect<void, UpstreamFailure>,
  options: StreamOptions<A>
): Effect.Effect<void, UpstreamFailure, R> =>
  Effect.contextWith((context) =>
    Effect.callback((resume) => {
      const { afterwards, clock, isTerminal, settings } = options
      const startedAt = readMonotonicMillis(clock)
      let lastEventAt: number | undefined
      let isWaiting = false
      let isTerminated = false
      let outcome: Exit.Exit<void, UpstreamFailure> | undefined
      let running: Fiber.Fiber<void, UpstreamFailure> | undefined

      const settle = (exit: Exit.Exit<void, UpstreamFailure>): void => {
        if (outcome !== undefined) return
        outcome = exit
        stopTimer()
        if (running !== undefined) finish(running, exit)
      }
      const finish = (
        fiber: Fiber.Fiber<void, UpstreamFailure>,
        exit: Exit.Exit<void, UpstreamFailure>
      ): void => {
        const hasEnded = fiber.pollUnsafe() !== undefined
        if (hasEnded) return resume(exit)
        if (Exit.isFailure(exit)) return resume(Effect.andThen(Fiber.interrupt(fiber), exit))
        stopTimer = startTimer(clock, drainTimeoutMillis, () => fiber.interruptUnsafe())
        resume(exit)
      }
      const fail = (phase: FailurePhase): void =>
        settle(Exit.fail(new UpstreamFailure({ kind: "timeout", phase })))
      const checkTime = (): void => {
        const now = readMonotonicMillis(clock)
        const [since, timeoutMillis] =
          lastEventAt === undefined
            ? [
                startedAt + (Context.get(context, CurrentConnectionWait)?.getQueuedMillis() ?? 0),
                settings.firstEventTimeoutMillis
              ]
            : [isWaiting ? now : lastEventAt, settings.streamIdleTimeoutMillis]
        const remaining = since + timeoutMillis - now
        if (remaining > 0) stopTimer = startTimer(clock, remaining, checkTime)
        else fail(lastEventAt === undefined ? "first_event" : "between_events")
      }
      let stopTimer = startTimer(clock, settings.firstEventTimeoutMillis, checkTime)

      const stop = (cause: Cause.Cause<UpstreamFailure>): Effect.Effect<never> => {
        settle(Exit.failCause(cause))
        return Effect.never
      }
      /** A defect here is not one of the source. */
      const pushOrDie = (events: ReadonlyArray<A>): Effect.Effect<void, UpstreamFailure> => {
        try {
          return push(events)
        } catch (defect) {
          return Effect.die(defect)
        }
      }
      const handleTaken = (): void => {
        isWaiting = false
        lastEventAt = readMonotonicMillis(clock)
        if (isTerminated) settle(Exit.void)
      }
      const receive: Push<A> = (events) => {
        if (outcome !== undefined) return Effect.void
        const isFirst = lastEventAt === undefined
        lastEventAt = readMonotonicMillis(clock)
        if (isFirst) {
          stopTimer()
          checkTime()
        }
        isTerminated = events.some(isTerminal)
        const taken = pushOrDie(events)
        if (!isExit(taken)) {
          isWaiting = true
          return Effect.matchCauseEffect(taken, {
            onFailure: stop,
            onSuccess: () => Effect.sync(handleTaken)
          })
        }
        if (Exit.isFailure(taken)) return stop(taken.cause)
        if (isTerminated) settle(Exit.void)
        return Effect.void
      }

      running = Effect.runForkWith(context)(source.run(receive))
      if (outcome !== undefined) finish(running, outcome)
      running.addObserver((exit) => {
        settle(Exit.isSuccess(exit) ? Exit.fail(truncatedStream) : exit)
        stopTimer()
      })
      Fiber.runIn(running, afterwards)
      const interruptSource = Fiber.interrupt(running)
      return Effect.suspend(() => {
        outcome ??= Exit.void
        stopTimer()
        return interruptSource
      })
    })
  )

/** The end of a response usually arrives with its last event. */
const drainTimeoutMillis = 1_000

const truncatedStream = new UpstreamFailure({
  kind: "invalid_answer",
  detail: "the stream ended before it was complete"
})
