/** What is written many at a time: it waits in memory, where it can be found, and never holds anybody up. */
import { Settings } from "@signalbox/core/stores"
import type * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
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

export interface Batches<A> {
  /** What finds no room is dropped, and counted. One of a key that waits is joined with that. */
  readonly offer: (key: string, item: A) => void
  /** Not written yet. */
  readonly find: (key: string) => A | undefined
  /** Writes what waits now. */
  readonly flush: Effect.Effect<void>
}

interface Options<A> extends BatchSettings {
  /** What it is called in logs and metrics. */
  readonly name: string
  readonly join: (waiting: A, item: A) => A
  readonly write: (items: ReadonlyArray<A>) => Effect.Effect<void>
  /** How often it is written again after a failure. */
  readonly retries: number
}

/** Writes until its scope closes, and then what is left, as far as `Settings.storeDeadlineMillis` allow. */
export const makeBatches: <A>(
  options: Options<A>
) => Effect.Effect<Batches<A>, never, Scope.Scope> = Effect.fnUntraced(function* <A>({
  capacity,
  intervalMillis,
  join,
  name,
  retries,
  size,
  write
}: Options<A>): Effect.fn.Return<Batches<A>, never, Scope.Scope> {
  const context = yield* Effect.context()
  const attributes = { queue: name }
  const waitingNow = Metric.gauge("signalbox_queue_waiting", { attributes })
  const dropped = Metric.counter("signalbox_queue_dropped_total", { attributes, incremental: true })
  const failed = Metric.counter("signalbox_queue_failed_total", { attributes, incremental: true })

  const waiting = new Map<string, A>()
  let writing: ReadonlyMap<string, A> = new Map()
  const isWaiting = yield* Latch.make()
  const oneAtATime = yield* Semaphore.make(1)

  const writeOne = Effect.suspend(() => {
    const batch = Array.from(waiting).slice(0, size)
    // What a close has given up.
    if (batch.length === 0) return Effect.void
    for (const [key] of batch) waiting.delete(key)
    writing = new Map(batch)
    const written = Effect.suspend(() => write(batch.map(([, item]) => item)))
    // By itself, so that a deadline breaks off what a close does not.
    return Effect.forkDetach(Effect.interruptible(written)).pipe(
      Effect.flatMap(Fiber.join),
      Effect.sandbox,
      Effect.retry({ times: retries, schedule: Schedule.exponential(100) }),
      Effect.catch((cause: Cause.Cause<never>) => {
        failed.updateUnsafe(batch.length, context)
        return Effect.logError(`${batch.length} of ${name} could not be written`, cause)
      }),
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
    oneAtATime.withPermits(1)(
      Effect.suspend(() =>
        Effect.repeat(writeOne, { times: Math.ceil(waiting.size / size) - 1 })
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
    const { storeDeadlineMillis } = yield* Settings
    // By itself, because nothing breaks it off, nor what the loop is writing.
    const left = yield* Effect.forkDetach(Effect.andThen(Fiber.interrupt(loop), flush), {
      startImmediately: true
    })
    const isDone = yield* Fiber.await(left).pipe(
      Effect.interruptible,
      Effect.timeoutOption(storeDeadlineMillis)
    )
    if (Option.isSome(isDone) || waiting.size === 0) return
    const lost = waiting.size
    waiting.clear()
    failed.updateUnsafe(lost, context)
    yield* Effect.logError(`${lost} of ${name} could not be written in ${storeDeadlineMillis} ms`)
  })
  yield* Effect.addFinalizer(() => close)

  return {
    offer: (key, item) => {
      const before = waiting.get(key)
      if (before === undefined && waiting.size >= capacity) {
        dropped.updateUnsafe(1, context)
        return
      }
      waiting.set(key, before === undefined ? item : join(before, item))
      waitingNow.updateUnsafe(waiting.size, context)
      isWaiting.openUnsafe()
    },
    find: (key) => waiting.get(key) ?? writing.get(key),
    flush: Effect.asVoid(flush)
  }
})
