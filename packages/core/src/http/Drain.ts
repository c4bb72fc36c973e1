/** Counts running requests and, once closing, refuses new ones and waits for the rest. */
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

export class Drain extends Context.Service<
  Drain,
  {
    /** Takes a place; undefined once draining. Call what it returns when the response is out. */
    readonly enter: () => (() => void) | undefined
    readonly running: () => number
    readonly isDraining: () => boolean
    /** Refuses new requests from now on; done when none is running or the deadline has passed. */
    readonly drain: (deadlineMillis: number) => Effect.Effect<void>
  }
>()("@signalbox/core/http/Drain") {
  static readonly layer: Layer.Layer<Drain> = Layer.sync(Drain, () => {
    const idle = Deferred.makeUnsafe<void>()
    let running = 0
    let draining = false
    const settle = () => {
      if (draining && running === 0) Deferred.doneUnsafe(idle, Effect.void)
    }
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
      drain: (deadlineMillis) =>
        Effect.suspend(() => {
          draining = true
          settle()
          return Effect.timeoutOrElse(Deferred.await(idle), {
            duration: deadlineMillis,
            orElse: () => Effect.void
          })
        })
    }
  })
}
