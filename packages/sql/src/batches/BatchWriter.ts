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

export interface BatchSettings {
  /** How many items may wait. */
  readonly capacity: number
  /** How many items one write takes at most. */
  readonly size: number
  /** How long an item waits before it is written, in milliseconds. */
  readonly intervalMillis: number
}

export interface BatchWriter<A> {
  /** Queues an item, or merges it with a waiting item of the same key. Drops and counts it if the queue is full. */
  readonly offer: (key: string, item: A) => void
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
  /** How often a write is retried while the store is unavailable. */
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
    failedCounter.updateUnsafe(items.length, context)
    yield* Effect.logError(`lost ${items.length} ${name} that could not be written`, cause)
    for (const item of items) {
      yield* Effect.annotateLogs(Effect.logError(`lost one of ${name}`), describe(item))
    }
  })

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
    return writeWithRetries(items).pipe(
      Effect.catch((cause) =>
        items.length > 1 && isRejected(cause) ? writeEach(items) : reportLost(items, cause)
      ),
      Effect.ensuring(
        Effect.sync(() => {
          writing = new Map()
          waitingGauge.updateUnsafe(waiting.size, context)
        })
      )
    )
  })
  // An interrupted write would leave unknown whether its items were written.
  const flush = Effect.uninterruptible(
    writeLock.withPermits(1)(
      Effect.suspend(() =>
        Effect.repeat(writeNextBatch, { times: Math.ceil(waiting.size / size) - 1 })
      ).pipe(Effect.when(Effect.sync(() => waiting.size > 0)))
    )
  )

  const loop = yield* hasItems.await.pipe(
    Effect.andThen(Effect.sync(() => hasItems.closeUnsafe())),
    Effect.andThen(Effect.sleep(intervalMillis)),
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
    if (Option.isSome(exit) || waiting.size === 0) return
    const lost = Array.from(waiting.values())
    waiting.clear()
    yield* reportLost(lost, `the store did not answer within ${storeTimeoutMillis} ms`)
  })
  yield* Effect.addFinalizer(() => close)

  return {
    offer: (key, item) => {
      const queued = waiting.get(key)
      if (queued === undefined && waiting.size >= capacity) {
        droppedCounter.updateUnsafe(1, context)
        return
      }
      waiting.set(key, queued === undefined ? item : merge(queued, item))
      waitingGauge.updateUnsafe(waiting.size, context)
      hasItems.openUnsafe()
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
