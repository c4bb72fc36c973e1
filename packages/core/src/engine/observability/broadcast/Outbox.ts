/** A bounded queue in front of a slow destination, so that producers never wait. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"

/** Counters of an outbox. */
export interface OutboxReport {
  /** Items in the queue. */
  readonly waiting: number
  /** Items dropped because the queue was full. */
  readonly dropped: number
  /** Failed deliveries, including timeouts. */
  readonly failed: number
}

export interface Outbox<A> {
  /** Never waits: when the queue is full, the item is dropped and counted. */
  readonly offer: (item: A) => void
  readonly report: () => OutboxReport
}

interface OutboxOptions<A> {
  /** Its name in logs. */
  readonly name: string
  /** The maximum number of queued items. */
  readonly capacity: number
  /** The maximum total weight of queued items, and the weight of one. */
  readonly weight?: { readonly capacity: number; readonly of: (item: A) => number }
  readonly deliver: (item: A) => Effect.Effect<void>
  /** The timeout of one delivery in milliseconds. */
  readonly timeoutMillis: number
  /** Milliseconds to deliver the rest when the scope closes. */
  readonly drainTimeoutMillis: number
}

/** Delivers in order, one by one, until its scope closes. */
export const makeOutbox: <A>(
  options: OutboxOptions<A>
) => Effect.Effect<Outbox<A>, never, Scope.Scope> = Effect.fnUntraced(function* <A>({
  capacity,
  timeoutMillis,
  deliver,
  drainTimeoutMillis,
  name,
  weight
}: OutboxOptions<A>): Effect.fn.Return<Outbox<A>, never, Scope.Scope> {
  const queue = yield* Queue.dropping<A, Cause.Done>(capacity)
  const weigh = (item: A): number => weight?.of(item) ?? 0
  let queuedWeight = 0
  let dropped = 0
  let failed = 0

  const recordFailure = (cause: Cause.Cause<never>) => {
    if (Cause.hasInterruptsOnly(cause)) return Effect.failCause(cause)
    failed++
    return Effect.logError(`${name} failed`, cause)
  }
  const deliverOne = Effect.fnUntraced(function* (item: A) {
    queuedWeight -= weigh(item)
    yield* Effect.catchCause(
      Effect.timeoutOrElse(
        Effect.suspend(() => deliver(item)),
        {
          duration: timeoutMillis,
          orElse: () => Effect.die(new Error(`took longer than ${timeoutMillis} ms`))
        }
      ),
      recordFailure
    )
  })
  const worker = yield* Effect.forkScoped(
    Effect.ignore(Effect.forever(Effect.flatMap(Queue.take(queue), deliverOne)))
  )
  yield* Effect.addFinalizer(() =>
    Effect.andThen(
      Queue.end(queue),
      Effect.timeoutOrElse(Fiber.await(worker), {
        duration: drainTimeoutMillis,
        orElse: () =>
          Effect.logWarning(`${name} was closed with ${Queue.sizeUnsafe(queue)} left to tell`)
      })
    )
  )

  return {
    offer: (item) => {
      const weighs = weigh(item)
      if (
        (weight !== undefined && queuedWeight + weighs > weight.capacity) ||
        !Queue.offerUnsafe(queue, item)
      ) {
        dropped++
        return
      }
      queuedWeight += weighs
    },
    report: () => ({ waiting: Queue.sizeUnsafe(queue), dropped, failed })
  }
})
