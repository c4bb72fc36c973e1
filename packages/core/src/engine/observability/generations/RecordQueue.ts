/** Collects what requests leave to record for a moment, so that none of them waits for it. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import { Settings } from "../../../instance/Settings.ts"
import { evaluate, isSuccess } from "../../../values/eager.ts"
import { noTimer, startTimer } from "../../../values/startTimer.ts"

export interface RecordQueue<A> {
  /** Waits for a write only when the queue is full, which holds up callers that never leave the event loop to others. */
  readonly offer: (item: A) => Effect.Effect<void>
  /** Begins, when it is called, to write what waits. The effect waits for that, and for what is being written. */
  readonly flush: () => Effect.Effect<void>
}

/**
 * The most items that wait. The caller that adds the last one has them written, because timers may not run for a long
 * time.
 */
export const maxWaitingRecords = 64

/**
 * Passes items on in batches, `Settings.recordDelayMillis` after the first of a batch; with 0, and if `isImmediate`, each caller
 * waits for its own item. When its scope closes, it writes what waits. A caller that is interrupted while it waits for a write does not interrupt that.
 */
export const makeRecordQueue = Effect.fnUntraced(function* <A>(
  write: (batch: ReadonlyArray<A>) => Effect.Effect<void>,
  isImmediate = false
): Effect.fn.Return<RecordQueue<A>, never, Scope.Scope> {
  const clock = yield* Clock.Clock
  const { maxQueuedBroadcasts, recordDelayMillis, storeTimeoutMillis } = yield* Settings
  const run = Effect.runForkWith(yield* Effect.context())
  const writing = new Set<Fiber.Fiber<void>>()
  let waiting: Array<A> = []
  // A batch must not be more than the queue of a destination holds.
  let capacity =
    isImmediate || recordDelayMillis === 0 ? 1 : Math.min(maxWaitingRecords, maxQueuedBroadcasts)
  let timer = noTimer

  const writeWaiting = (): Effect.Effect<void> => {
    timer.stop()
    if (waiting.length === 0) return Effect.void
    const batch = waiting
    waiting = []
    const written = evaluate(() => write(batch))
    if (isSuccess(written)) return written
    const fiber = run(Effect.ignoreCause(written, { log: "Error" }))
    if (fiber.pollUnsafe() !== undefined) return Effect.void
    writing.add(fiber)
    fiber.addObserver(() => writing.delete(fiber))
    return Effect.asVoid(Fiber.await(fiber))
  }

  const flush = (): Effect.Effect<void> => {
    void writeWaiting()
    return writing.size === 0 ? Effect.void : Effect.asVoid(Fiber.awaitAll(writing))
  }

  yield* Effect.addFinalizer(() => {
    capacity = 1
    return Effect.timeoutOrElse(Effect.interruptible(flush()), {
      duration: storeTimeoutMillis,
      orElse: () => Effect.logWarning(`records were not stored within ${storeTimeoutMillis} ms`)
    })
  })

  return {
    offer: (item) => {
      waiting.push(item)
      if (waiting.length >= capacity) return writeWaiting()
      if (waiting.length === 1) timer = startTimer(clock, recordDelayMillis, writeWaiting)
      return Effect.void
    },
    flush
  }
})
