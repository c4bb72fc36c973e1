/** Queues records in memory and writes them in batches, so that no request waits for a write. */
import { Settings, StoreUnavailable } from "@signalbox/core/stores"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import { StorageMonitor } from "../connection/StorageMonitor.ts"
import { findStoreFailure } from "../errors/findStoreFailure.ts"

export interface BatchSettings {
  /** How many items may wait. */
  readonly capacity: number
  /** How many items one write takes at most. */
  readonly size: number
  /** How long an item waits before it is written, in milliseconds. */
  readonly intervalMillis: number
}

export interface BatchWriter<A> {
  /**
   * Queues items, or merges them with waiting items of the same key. Drops and counts those for which the queue has no room.
   * Once it is half full, the effect waits for the writer, for at most a second: callers in process that never leave the event
   * loop to timers and sockets would starve it. It waits for no database that fails.
   */
  readonly offer: (items: ReadonlyArray<readonly [key: string, item: A]>) => Effect.Effect<void>
  /** Finds an item that is not written yet. */
  readonly find: (key: string) => A | undefined
  /** Writes the items that wait now. */
  readonly flush: Effect.Effect<void>
}

interface BatchWriterOptions<A> extends BatchSettings {
  /** The name in logs and metrics. */
  readonly name: string
  readonly merge: (waiting: A, item: A) => A
  /** Writes all items or none. Dies with `StoreUnavailable` if the outcome may be unknown. */
  readonly write: (items: ReadonlyArray<A>) => Effect.Effect<void>
  /**
   * How often a write of unknown outcome is retried at once. Then its items wait for the database, as those do that were
   * certainly not written. 0: writing is not idempotent, and items of unknown outcome are lost.
   */
  readonly retries: number
  /** What the log says about a lost item, so that it can be restored by hand; no secrets, no content. */
  readonly describe: (item: A) => Readonly<Record<string, unknown>>
}

/** Writes until its scope closes, then flushes for at most `Settings.storeTimeoutMillis`. */
export const makeBatchWriter: <A>(
  options: BatchWriterOptions<A>
) => Effect.Effect<BatchWriter<A>, never, Scope.Scope> = Effect.fnUntraced(function* <A>({
  capacity,
  describe,
  intervalMillis,
  merge,
  name,
  retries,
  size,
  write
}: BatchWriterOptions<A>): Effect.fn.Return<BatchWriter<A>, never, Scope.Scope> {
  const context = yield* Effect.context()
  const attributes = { queue: name }
  const waitingGauge = Metric.gauge("signalbox_queue_waiting", { attributes })
  const droppedCounter = Metric.counter("signalbox_queue_dropped_total", {
    attributes,
    incremental: true
  })
  const failedCounter = Metric.counter("signalbox_queue_failed_total", {
    attributes,
    incremental: true
  })

  const { addQueue, isAvailable } = yield* StorageMonitor
  let dropped = 0
  let failed = 0
  addQueue(() => ({ name, waiting: waiting.size, dropped, failed }))

  /** The last write failed for want of the database. */
  let isFailing = false
  const halfFull = capacity / 2
  const hasRoom = yield* Latch.make(true)
  const isCrowded = yield* Latch.make()
  const awaitRoom = Effect.asVoid(Effect.timeoutOption(hasRoom.await, maxOfferMillis))
  const drop = (count: number): void => {
    dropped += count
    droppedCounter.updateUnsafe(count, context)
  }
  const waiting = new Map<string, A>()
  let writing: ReadonlyMap<string, A> = new Map()
  const hasItems = yield* Latch.make()
  const writeLock = yield* Semaphore.make(1)

  const writeWithRetries = (items: ReadonlyArray<A>): Effect.Effect<void, Cause.Cause<never>> =>
    // In a fiber of its own, so that its own timeout can interrupt it although `flush` is uninterruptible.
    Effect.forkDetach(Effect.interruptible(Effect.suspend(() => write(items)))).pipe(
      Effect.flatMap(Fiber.join),
      Effect.sandbox,
      Effect.retry({
        times: retries,
        schedule: Schedule.exponential(100),
        while: (cause) => !isRejected(cause)
      })
    )

  const reportLost = Effect.fnUntraced(function* (
    items: ReadonlyArray<A>,
    cause: Cause.Cause<never> | string
  ) {
    failed += items.length
    failedCounter.updateUnsafe(items.length, context)
    yield* Effect.logError(`lost ${items.length} ${name} that could not be written`, cause)
    for (const item of items) {
      yield* Effect.annotateLogs(Effect.logError(`lost one of ${name}`), describe(item))
    }
  })

  /** Puts a batch back, before the items that came since. */
  const putBack = (batch: ReadonlyArray<readonly [string, A]>): void => {
    const later = Array.from(waiting)
    waiting.clear()
    for (const [key, item] of batch) waiting.set(key, item)
    for (const [key, item] of later) {
      const earlier = waiting.get(key)
      if (earlier === undefined && waiting.size >= capacity) drop(1)
      else waiting.set(key, earlier === undefined ? item : merge(earlier, item))
    }
    isFailing = true
    hasItems.openUnsafe()
    hasRoom.openUnsafe()
  }
  /** Whether a later repetition counts nothing twice: nothing was written, or writing is idempotent. */
  const isRepeatable = (cause: Cause.Cause<never>): boolean =>
    !isRejected(cause) && (wroteNothing(cause) || retries > 0)

  /** Writes a rejected batch item by item, so that only the invalid ones are lost. */
  const writeEach = Effect.fnUntraced(function* (items: ReadonlyArray<A>) {
    for (const [index, item] of items.entries()) {
      const result = yield* Effect.result(writeWithRetries([item]))
      if (Result.isSuccess(result)) continue
      if (isRejected(result.failure)) yield* reportLost([item], result.failure)
      else return yield* reportLost(items.slice(index), result.failure)
    }
  })

  const writeNextBatch = Effect.suspend(() => {
    const batch = Array.from(waiting).slice(0, size)
    // A close that timed out has cleared the queue.
    if (batch.length === 0) return Effect.void
    for (const [key] of batch) waiting.delete(key)
    writing = new Map(batch)
    const items = batch.map(([, item]) => item)
    isFailing = false
    return writeWithRetries(items).pipe(
      Effect.catch((cause) => {
        if (isRepeatable(cause)) return Effect.sync(() => putBack(batch))
        return items.length > 1 && isRejected(cause) ? writeEach(items) : reportLost(items, cause)
      }),
      Effect.ensuring(
        Effect.sync(() => {
          writing = new Map()
          if (waiting.size < halfFull) {
            isCrowded.closeUnsafe()
            hasRoom.openUnsafe()
          }
          waitingGauge.updateUnsafe(waiting.size, context)
        })
      )
    )
  })
  // An interrupted write would leave unknown whether its items were written.
  const flush = Effect.uninterruptible(
    writeLock.withPermits(1)(
      Effect.suspend(() =>
        Effect.repeat(writeNextBatch, {
          times: Math.ceil(waiting.size / size) - 1,
          until: () => isFailing
        })
      ).pipe(Effect.when(Effect.sync(() => waiting.size > 0)))
    )
  )

  /** A write that the database does not answer may lose its items. */
  const awaitAvailable: Effect.Effect<void> = Effect.suspend(() =>
    isAvailable() ? Effect.void : Effect.andThen(Effect.sleep(retryMillis), awaitAvailable)
  )
  const loop = yield* hasItems.await.pipe(
    Effect.andThen(Effect.sync(() => hasItems.closeUnsafe())),
    // A queue that fills up is not left to the timer.
    Effect.andThen(
      Effect.suspend(() =>
        isFailing
          ? Effect.sleep(retryMillis)
          : Effect.raceFirst(Effect.sleep(intervalMillis), isCrowded.await)
      )
    ),
    Effect.andThen(awaitAvailable),
    Effect.andThen(flush),
    Effect.forever,
    Effect.forkDetach
  )

  const close = Effect.gen(function* () {
    const { storeTimeoutMillis } = yield* Settings
    // In a fiber of its own, because the flush and a write of the loop cannot be interrupted.
    const lastFlush = yield* Effect.forkDetach(Effect.andThen(Fiber.interrupt(loop), flush), {
      startImmediately: true
    })
    const exit = yield* Fiber.await(lastFlush).pipe(
      Effect.interruptible,
      Effect.timeoutOption(storeTimeoutMillis)
    )
    if (waiting.size === 0) return
    const lost = Array.from(waiting.values())
    waiting.clear()
    yield* reportLost(
      lost,
      Option.isSome(exit)
        ? "the database cannot be used"
        : `the store did not answer within ${storeTimeoutMillis} ms`
    )
  })
  yield* Effect.addFinalizer(() => close)

  return {
    offer: (items) => {
      for (const [key, item] of items) {
        const queued = waiting.get(key)
        if (queued === undefined && waiting.size >= capacity) drop(1)
        else waiting.set(key, queued === undefined ? item : merge(queued, item))
      }
      waitingGauge.updateUnsafe(waiting.size, context)
      hasItems.openUnsafe()
      if (waiting.size < halfFull || isFailing || !isAvailable()) return Effect.void
      isCrowded.openUnsafe()
      hasRoom.closeUnsafe()
      return awaitRoom
    },
    find: (key) => waiting.get(key) ?? writing.get(key),
    flush: Effect.asVoid(flush)
  }
})

/** Whether the store wrote nothing and a retry would not help, because a value or the statement is invalid. */
const isRejected = ({ reasons }: Cause.Cause<never>): boolean =>
  reasons.every(
    (reason) => Cause.isDieReason(reason) && !(reason.defect instanceof StoreUnavailable)
  )

/** Whether the database says that nothing was written. */
const wroteNothing = ({ reasons }: Cause.Cause<never>): boolean =>
  reasons.every(
    (reason) =>
      Cause.isDieReason(reason) &&
      reason.defect instanceof StoreUnavailable &&
      findStoreFailure(reason.defect.cause)?.wroteNothing === true
  )

/** The longest time that a record waits for room. */
const maxOfferMillis = 1_000

/** Time before a database that failed is written to again, or looked at. */
const retryMillis = 1_000
