/** Drains an instance: rejects new requests, waits for running ones, and interrupts the rest. */
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"

/** Counts running requests and drains them when the instance closes. */
export class Drain extends Context.Service<
  Drain,
  {
    /** Counts a request; call the returned function when its response has been sent. Undefined while draining. */
    readonly enter: () => (() => void) | undefined
    /** The same for a request that only looks at the instance: the drain waits for it, and `running` does not count it. */
    readonly enterAside: () => (() => void) | undefined
    readonly running: () => number
    readonly isDraining: () => boolean
    /** False after `markUnready` or `drain`, so that load balancers stop sending requests. */
    readonly isReady: () => boolean
    /** Makes readiness fail while requests are still served. */
    readonly markUnready: () => void
    /**
     * Calls `breakOff` when the drain timeout has passed, at once if it already has. Streams then have a second to end
     * with an error. The returned function unsubscribes.
     */
    readonly onTimeout: (breakOff: () => void) => () => void
    /** Closes at the end of the drain, which interrupts the requests in it. */
    readonly scope: Scope.Scope
    /**
     * Rejects new requests. Completes when none is running, or when the timeout has passed and the remaining ones are
     * interrupted.
     */
    readonly drain: (timeoutMillis: number) => Effect.Effect<void>
  }
>()("@signalbox/core/instance/Drain") {
  static readonly layer = Layer.effect(
    Drain,
    Effect.gen(function* () {
      const scope = yield* Scope.fork(yield* Effect.scope, "parallel")
      const idle = Deferred.makeUnsafe<void>()
      const timeoutListeners = new Set<() => void>()
      let running = 0
      let aside = 0
      let isUnready = false
      let isDraining = false
      let hasTimedOut = false
      const settle = () => {
        if (isDraining && running + aside === 0) Deferred.doneUnsafe(idle, Effect.void)
      }
      const awaitIdle = (withinMillis: number): Effect.Effect<boolean> =>
        Effect.as(Deferred.await(idle), true).pipe(
          Effect.timeoutOrElse({ duration: withinMillis, orElse: () => Effect.succeed(false) })
        )
      const breakOff = Effect.suspend(() => {
        hasTimedOut = true
        if (timeoutListeners.size === 0) return Effect.void
        for (const listener of timeoutListeners) listener()
        return awaitIdle(streamCloseGraceMillis)
      })
      return {
        enter: () => {
          if (isDraining) return undefined
          running++
          let hasLeft = false
          return () => {
            if (hasLeft) return
            hasLeft = true
            running--
            settle()
          }
        },
        enterAside: () => {
          if (isDraining) return undefined
          aside++
          let hasLeft = false
          return () => {
            if (hasLeft) return
            hasLeft = true
            aside--
            settle()
          }
        },
        running: () => running,
        isDraining: () => isDraining,
        isReady: () => !isUnready && !isDraining,
        markUnready: () => {
          isUnready = true
        },
        onTimeout: (breakOff) => {
          timeoutListeners.add(breakOff)
          if (hasTimedOut) breakOff()
          return () => timeoutListeners.delete(breakOff)
        },
        scope,
        drain: (timeoutMillis) =>
          Effect.suspend(() => {
            isDraining = true
            settle()
            return awaitIdle(timeoutMillis)
          }).pipe(
            Effect.flatMap((isDone) => (isDone ? Effect.void : breakOff)),
            Effect.andThen(Scope.close(scope, Exit.void))
          )
      }
    })
  )
}

/** Time for slow clients to receive the final error event of a stream. */
const streamCloseGraceMillis = 1_000
