/** What is written many at a time: it waits in memory, where it can be found, and never holds anybody up. */
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
  /** How many may wait. */
  readonly capacity: number
  /** How many are written at a time. */
  readonly size: number
  /** How long in milliseconds one waits, at the most, before it is written. */
  readonly intervalMillis: number
}

export interface BatchWriter<A> {
  /** What finds no room is dropped, and counted. One of a key that waits is joined with that. */
  readonly offer: (key: string, item: A) => void
  /** Not written yet. */
  readonly find: (key: string) => A | undefined
  /** Writes what waits now. */
  readonly flush: Effect.Effect<void>
}

interface BatchWriterOptions<A> extends BatchSettings {
  /** What it is called in logs and metrics. */
  readonly name: string
  readonly merge: (waiting: A, item: A) => A
  /** All of them or none. Dies with `StoreUnavailable` where nobody can say which. */
  readonly write: (items: ReadonlyArray<A>) => Effect.Effect<void>
  /** How often it is written again while the store is unavailable. */
  readonly retries: number
  /** What the log tells of one that is lost, so that it can be put right by hand: no secrets, no content. */
  readonly describe: (item: A) => Readonly<Record<string, unknown>>
}

/** Writes until its scope closes, and then what is left, as far as `Settings.storeTimeoutMillis` allow. */
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
  const waitingNow = Metric.gauge("signalbox_queue_waiting", { attributes })
  const dropped = Metric.counter("signalbox_queue_dropped_total", { attributes, incremental: true })
  const failed = Metric.counter("signalbox_queue_failed_total", { attributes, incremental: true })

  const waiting = new Map<string, A>()
  let writing: ReadonlyMap<string, A> = new Map()
  const isWaiting = yield* Latch.make()
  const writeLock = yield* Semaphore.make(1)

  const writeWithRetries = (items: ReadonlyArray<A>): Effect.Effect<void, Cause.Cause<never>> =>
    // By itself, so that a deadline breaks off what a close does not.
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
    failed.updateUnsafe(items.length, context)
    yield* Effect.logError(`${items.length} of ${name} could not be written and are lost`, cause)
    for (const item of items) {
      yield* Effect.annotateLogs(Effect.logError(`lost of ${name}`), describe(item))
    }
  })

  /** What the store refuses as a whole it may take without the one that is at fault. */
  const writeEach = Effect.fnUntraced(function* (items: ReadonlyArray<A>) {
    for (const [place, item] of items.entries()) {
      const written = yield* Effect.result(writeWithRetries([item]))
      if (Result.isSuccess(written)) continue
      if (isRejected(written.failure)) yield* reportLost([item], written.failure)
      else return yield* reportLost(items.slice(place), written.failure)
    }
  })

  const writeNextBatch = Effect.suspend(() => {
    const batch = Array.from(waiting).slice(0, size)
    // What a close has given up.
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
          waitingNow.updateUnsafe(waiting.size, context)
        })
      )
    )
  })
  // What was begun is not broken off: nobody could say whether it was written.
  const flush = Effect.uninterruptible(
    writeLock.withPermits(1)(
      Effect.suspend(() =>
        Effect.repeat(writeNextBatch, { times: Math.ceil(waiting.size / size) - 1 })
      ).pipe(Effect.when(Effect.sync(() => waiting.size > 0)))
    )
  )

  const loop = yield* isWaiting.await.pipe(
    Effect.andThen(Effect.sync(() => isWaiting.closeUnsafe())),
    Effect.andThen(Effect.sleep(intervalMillis)),
    Effect.andThen(flush),
    Effect.forever,
    Effect.forkDetach
  )

  const close = Effect.gen(function* () {
    const { storeTimeoutMillis } = yield* Settings
    // By itself, because nothing breaks it off, nor what the loop is writing.
    const left = yield* Effect.forkDetach(Effect.andThen(Fiber.interrupt(loop), flush), {
      startImmediately: true
    })
    const isDone = yield* Fiber.await(left).pipe(
      Effect.interruptible,
      Effect.timeoutOption(storeTimeoutMillis)
    )
    if (Option.isSome(isDone) || waiting.size === 0) return
    const lost = Array.from(waiting.values())
    waiting.clear()
    yield* reportLost(lost, `the store had no answer in ${storeTimeoutMillis} ms`)
  })
  yield* Effect.addFinalizer(() => close)

  return {
    offer: (key, item) => {
      const before = waiting.get(key)
      if (before === undefined && waiting.size >= capacity) {
        dropped.updateUnsafe(1, context)
        return
      }
      waiting.set(key, before === undefined ? item : merge(before, item))
      waitingNow.updateUnsafe(waiting.size, context)
      isWaiting.openUnsafe()
    },
    find: (key) => waiting.get(key) ?? writing.get(key),
    flush: Effect.asVoid(flush)
  }
})

/** The store has taken none of it, and would not the next time: a value is at fault, or the statement. */
const isRejected = ({ reasons }: Cause.Cause<never>): boolean =>
  reasons.every(
    (reason) => Cause.isDieReason(reason) && !(reason.defect instanceof StoreUnavailable)
  )
