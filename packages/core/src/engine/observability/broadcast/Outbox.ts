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
  /** Waits until everything that was offered before is delivered or has failed. */
  readonly flush: Effect.Effect<void>
}

interface OutboxOptions<A> {
  /** Its name in logs. */
  readonly name: string
  /** The maximum number of queued items. */
  readonly capacity: number
  /** The maximum total weight of queued items, and the weight of one. */
  readonly weight?: { readonly capacity: number; readonly of: (item: A) => number }
  /** How many items one delivery takes at most; default: 1. */
  readonly batchSize?: number
  /** Not empty. */
  readonly deliver: (items: ReadonlyArray<A>) => Effect.Effect<void>
  /** The timeout of one delivery in milliseconds. */
  readonly timeoutMillis: number
  /** Milliseconds to deliver the rest when the scope closes. */
  readonly drainTimeoutMillis: number
}

/** Delivers in order, one delivery at a time, until its scope closes. */
export const makeOutbox: <A>(
  options: OutboxOptions<A>
) => Effect.Effect<Outbox<A>, never, Scope.Scope> = Effect.fnUntraced(function* <A>({
  batchSize = 1,
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
  let loggedDropped = 0
  let failed = 0
  let offered = 0
  let handled = 0
  const waiters = new Set<{ readonly until: number; readonly resume: () => void }>()

  const recordFailure = (count: number) => (cause: Cause.Cause<never>) => {
    if (Cause.hasInterruptsOnly(cause)) return Effect.failCause(cause)
    failed += count
    return Effect.logError(`${name} failed`, cause)
  }
  const finish = (count: number): void => {
    handled += count
    for (const waiter of waiters) {
      if (waiter.until > handled) continue
      waiters.delete(waiter)
      waiter.resume()
    }
  }
  const deliverBatch = Effect.fnUntraced(function* (items: ReadonlyArray<A>) {
    for (const item of items) queuedWeight -= weigh(item)
    yield* Effect.timeoutOrElse(
      Effect.suspend(() => deliver(items)),
      {
        duration: timeoutMillis,
        orElse: () => Effect.die(new Error(`took longer than ${timeoutMillis} ms`))
      }
    ).pipe(
      Effect.catchCause(recordFailure(items.length)),
      Effect.ensuring(Effect.sync(() => finish(items.length)))
    )
    if (dropped === loggedDropped) return
    const lost = dropped - loggedDropped
    loggedDropped = dropped
    yield* Effect.logWarning(`${name} was not told of ${lost}, because its queue was full`)
  })
  const worker = yield* Effect.forkScoped(
    Effect.ignore(
      Effect.forever(Effect.flatMap(Queue.takeBetween(queue, 1, batchSize), deliverBatch))
    )
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
      offered++
    },
    flush: Effect.callback<void>((resume) => {
      if (handled === offered) return resume(Effect.void)
      const waiter = { until: offered, resume: () => resume(Effect.void) }
      waiters.add(waiter)
      return Effect.sync(() => waiters.delete(waiter))
    }),
    report: () => ({ waiting: Queue.sizeUnsafe(queue), dropped, failed })
  }
})
