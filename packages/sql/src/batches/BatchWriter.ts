/** Queues records in memory and writes them in batches, so that no request waits for a write. */
import { Settings, StoreUnavailable } from "@signalbox/core/stores"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import { StorageMonitor } from "../connection/StorageMonitor.ts"

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
  /**
   * Writes all items or none, and nothing if a batch with this id is written. Dies with `StoreUnavailable` if the database
   * failed; the same items are then written again under the same id, until the database takes them.
   */
  readonly write: (items: ReadonlyArray<A>, id: string) => Effect.Effect<void>
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
  size,
  write: writeItems
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
  addQueue(() => ({ name, waiting: countWaiting(), dropped, failed }))

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
  /** Batches that the database did not take. They are older than what waits, and what came since is not merged into them. */
  let failing: ReadonlyArray<Batch<A>> = []
  let writing: Batch<A> | undefined
  const countWaiting = (): number =>
    failing.reduce((sum, { items }) => sum + items.size, waiting.size)
  const hasItems = yield* Latch.make()
  const writeLock = yield* Semaphore.make(1)

  /** The failure of a batch, if it is not written. */
  const write = ({ id, items }: Batch<A>): Effect.Effect<Cause.Cause<never> | undefined> =>
    // In a fiber of its own, so that its own timeout can interrupt it although `flush` is uninterruptible.
    Effect.forkDetach(
      Effect.interruptible(Effect.suspend(() => writeItems(Array.from(items.values()), id)))
    ).pipe(
      Effect.flatMap(Fiber.join),
      Effect.sandbox,
      Effect.retry({
        times: maxQuickRetries,
        schedule: Schedule.exponential(100),
        while: (cause) => !isRejected(cause)
      }),
      Effect.match({ onFailure: (cause) => cause, onSuccess: () => undefined })
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

  /** Keeps batches for the database, before those that came since. */
  const writeLater = (batches: ReadonlyArray<Batch<A>>): void => {
    failing = [...batches, ...failing]
    isFailing = true
    hasItems.openUnsafe()
    hasRoom.openUnsafe()
  }

  /** Writes a rejected batch item by item, so that only the invalid ones are lost. */
  const writeEach = Effect.fnUntraced(function* ({ items }: Batch<A>) {
    const singles = Array.from(items, (item) => toBatch([item]))
    for (const [at, single] of singles.entries()) {
      const cause = yield* write(single)
      if (cause === undefined) continue
      if (!isRejected(cause)) return writeLater(singles.slice(at))
      yield* reportLost(Array.from(single.items.values()), cause)
    }
  })

  const takeBatch = (): Batch<A> | undefined => {
    const [first, ...others] = failing
    if (first !== undefined) {
      failing = others
      return first
    }
    const items = Array.from(waiting).slice(0, size)
    for (const [key] of items) waiting.delete(key)
    return items.length === 0 ? undefined : toBatch(items)
  }

  const writeNextBatch = Effect.suspend(() => {
    const batch = takeBatch()
    // A close that timed out has cleared the queue.
    if (batch === undefined) return Effect.void
    writing = batch
    isFailing = false
    return write(batch).pipe(
      Effect.flatMap((cause) => {
        if (cause === undefined) return Effect.void
        if (!isRejected(cause)) return Effect.sync(() => writeLater([batch]))
        return batch.items.size > 1
          ? writeEach(batch)
          : reportLost(Array.from(batch.items.values()), cause)
      }),
      Effect.ensuring(
        Effect.sync(() => {
          writing = undefined
          const count = countWaiting()
          if (count < halfFull) {
            isCrowded.closeUnsafe()
            hasRoom.openUnsafe()
          }
          waitingGauge.updateUnsafe(count, context)
        })
      )
    )
  })
  // An interrupted write would leave unknown whether its items were written.
  const flush = Effect.uninterruptible(
    writeLock.withPermits(1)(
      Effect.suspend(() =>
        Effect.repeat(writeNextBatch, {
          times: failing.length + Math.ceil(waiting.size / size) - 1,
          until: () => isFailing
        })
      ).pipe(Effect.when(Effect.sync(() => countWaiting() > 0)))
    )
  )

  /** While the database is known to fail, each write would wait for its timeout. */
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
    const lost = [...failing.flatMap(({ items }) => [...items.values()]), ...waiting.values()]
    if (lost.length === 0) return
    failing = []
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
        if (queued === undefined && countWaiting() >= capacity) drop(1)
        else waiting.set(key, queued === undefined ? item : merge(queued, item))
      }
      const count = countWaiting()
      waitingGauge.updateUnsafe(count, context)
      hasItems.openUnsafe()
      if (count < halfFull || isFailing || !isAvailable()) return Effect.void
      isCrowded.openUnsafe()
      hasRoom.closeUnsafe()
      return awaitRoom
    },
    find: (key) =>
      waiting.get(key) ??
      writing?.items.get(key) ??
      failing.findLast(({ items }) => items.has(key))?.items.get(key),
    flush: Effect.asVoid(flush)
  }
})

/** Whether the store wrote nothing and a retry would not help, because a value or the statement is invalid. */
const isRejected = ({ reasons }: Cause.Cause<never>): boolean =>
  reasons.every(
    (reason) => Cause.isDieReason(reason) && !(reason.defect instanceof StoreUnavailable)
  )

interface Batch<A> {
  readonly id: string
  readonly items: ReadonlyMap<string, A>
}

const toBatch = <A>(items: ReadonlyArray<readonly [string, A]>): Batch<A> => ({
  id: crypto.randomUUID(),
  items: new Map(items)
})

/** How often a failed write is repeated at once. Then it waits for the database. */
const maxQuickRetries = 3

/** The longest time that a record waits for room. */
const maxOfferMillis = 1_000

/** Time before a database that failed is written to again, or looked at. */
const retryMillis = 1_000
