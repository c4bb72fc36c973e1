/** Counts running requests and, once closing, refuses new ones, waits for the rest, and ends what is left. */
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"

/** Counts the requests that run, and refuses new ones once the service closes. */
export class Drain extends Context.Service<
  Drain,
  {
    /** Takes a place; undefined once draining. Call what it returns when the response is out. */
    readonly enter: () => (() => void) | undefined
    readonly running: () => number
    readonly isDraining: () => boolean
    /** False from `printUsage` on: load balancers are to send their requests elsewhere. */
    readonly isReady: () => boolean
    /** Requests are served as before, and readiness says that they will not be for long. */
    readonly markUnready: () => void
    /**
     * Calls `breakOff` when the deadline has passed, unless what it returns was called before: who answers piece
     * by piece has a second then to say that it is over.
     */
    readonly onTimeout: (breakOff: () => void) => () => void
    /** Closes once nothing is waited for any more: fibers of requests belong into it. */
    readonly scope: Scope.Scope
    /**
     * Refuses new requests from now on; done when none is running, or the deadline has passed and what ran
     * then is interrupted.
     */
    readonly drain: (deadlineMillis: number) => Effect.Effect<void>
  }
>()("@signalbox/core/Drain") {
  static readonly layer: Layer.Layer<Drain> = Layer.effect(
    Drain,
    Effect.gen(function* () {
      const scope = yield* Scope.fork(yield* Effect.scope, "parallel")
      const idle = Deferred.makeUnsafe<void>()
      const speakers = new Set<() => void>()
      let running = 0
      let announced = false
      let draining = false
      let isOverdue = false
      const settle = () => {
        if (draining && running === 0) Deferred.doneUnsafe(idle, Effect.void)
      }
      const isIdle = (withinMillis: number): Effect.Effect<boolean> =>
        Effect.as(Deferred.await(idle), true).pipe(
          Effect.timeoutOrElse({ duration: withinMillis, orElse: () => Effect.succeed(false) })
        )
      const breakOff = Effect.suspend(() => {
        isOverdue = true
        if (speakers.size === 0) return Effect.void
        for (const each of speakers) each()
        return isIdle(streamCloseGraceMillis)
      })
      return {
        enter: () => {
          if (draining) return undefined
          running++
          let left = false
          return () => {
            if (left) return
            left = true
            running--
            settle()
          }
        },
        running: () => running,
        isDraining: () => draining,
        isReady: () => !announced && !draining,
        markUnready: () => {
          announced = true
        },
        onTimeout: (breakOff) => {
          speakers.add(breakOff)
          if (isOverdue) breakOff()
          return () => speakers.delete(breakOff)
        },
        scope,
        drain: (deadlineMillis) =>
          Effect.suspend(() => {
            draining = true
            settle()
            return isIdle(deadlineMillis)
          }).pipe(
            Effect.flatMap((isDone) => (isDone ? Effect.void : breakOff)),
            Effect.andThen(Scope.close(scope, Exit.void))
          )
      }
    })
  )
}

/** For whoever reads slowly: most are told at once. Our choice. */
const streamCloseGraceMillis = 1_000
