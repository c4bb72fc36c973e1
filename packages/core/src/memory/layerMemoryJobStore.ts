/** Keeps the steps of durable jobs, and dead letters, in memory. */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as PersistedQueue from "effect/persistence/PersistedQueue"
import { type DeadLetter, JobStore } from "../engine/jobs/JobStore.ts"
import { Settings } from "../instance/Settings.ts"
import { layerSteadyClock, SteadyTime } from "../values/SteadyTime.ts"
import { toCursorPage } from "../values/pages/CursorPage.ts"
import { MemoryJournal } from "./MemoryJournal.ts"
import { makeMemoryTable } from "./makeMemoryTable.ts"

/** Keeps between one and two times `Settings.maxJobSteps` finished steps, and `Settings.maxJobSteps` dead letters. */
export const layerMemoryJobStore: Layer.Layer<JobStore, never, MemoryJournal> = Layer.effect(
  JobStore,
  Effect.gen(function* () {
    const { maxJobSteps } = yield* Settings
    const { queue, waiting } = yield* makeMemoryQueue
    const dead = makeMemoryTable<string, DeadLetter>(yield* MemoryJournal)
    return {
      queue,
      listQueueDepths: waiting,
      deadLetter: (step) =>
        dead.edit((draft) => {
          const id = JSON.stringify([step.kind, step.key])
          const { offeredAt = -Infinity } = step
          if ((draft.get(id)?.at ?? -Infinity) >= offeredAt && draft.has(id)) return false
          draft.delete(id)
          draft.set(id, step)
          if (dead.rows.size > maxJobSteps) {
            const [oldest] = dead.rows.keys()
            if (oldest !== undefined) draft.delete(oldest)
          }
          return true
        }),
      listDeadLetters: (cursor) =>
        Effect.sync(() => toCursorPage(dead.newestFirst(cursor.after), cursor)),
      purgeExpired: Effect.fnUntraced(function* ({ deadMillis, finishedMillis }) {
        yield* Effect.orDie(
          queue.cleanup({
            timeToLive: Duration.millis(finishedMillis),
            failedTimeToLive: undefined
          })
        )
        const now = yield* Clock.currentTimeMillis
        yield* dead.edit((draft) => {
          for (const [id, { at }] of dead.rows) if (at <= now - deadMillis) draft.delete(id)
        })
      })
    }
  })
).pipe(Layer.provide(Layer.provide(PersistedQueue.layerStoreMemory, layerSteadyClock)))

interface Step {
  readonly kind: string
  /** In the queue's steady time, which never jumps. */
  dueAt: number
  running: boolean
  /** When it finished. */
  endedAt: number | undefined
}

/** Effect's in-memory queue with transactions, bounds and queue depths. */
const makeMemoryQueue = Effect.gen(function* () {
  const store = yield* PersistedQueue.PersistedQueueStore
  const { afterCommit } = yield* MemoryJournal
  const { maxJobSteps } = yield* Settings
  const time = new SteadyTime(yield* Clock.Clock)
  const now = () => time.now()
  const steps = new Map<string, Step>()
  /** The times at which steps finished, in order. */
  let finishedTimes: Array<number> = []

  const cleanup: typeof store.cleanup = (options) =>
    Effect.tap(store.cleanup(options), () =>
      Effect.sync(() => {
        const before = now() - Duration.toMillis(options.timeToLive)
        finishedTimes = finishedTimes.filter((at) => at > before)
        for (const [id, { endedAt }] of steps) {
          if (endedAt !== undefined && endedAt <= before) steps.delete(id)
        }
      })
    )

  /** The store purges by age only, so the bound is expressed as the age of the oldest step to keep. */
  const evictFinished = Effect.suspend(() => {
    const newestToForget =
      finishedTimes.length <= 2 * maxJobSteps ? undefined : finishedTimes.at(-maxJobSteps - 1)
    return newestToForget === undefined
      ? Effect.void
      : Effect.orDie(
          cleanup({
            timeToLive: Duration.millis(now() - newestToForget),
            failedTimeToLive: undefined
          })
        )
  })

  const queue: typeof store = {
    offer: (options) =>
      afterCommit(
        Effect.suspend(() => {
          const id = toStepId(options.name, options.id)
          if (steps.has(id)) return Effect.void
          const delay = options.delay === undefined ? 0 : Duration.toMillis(options.delay)
          steps.set(id, {
            kind: options.name,
            dueAt: now() + delay,
            running: false,
            endedAt: undefined
          })
          return Effect.orDie(store.offer(options))
        })
      ),
    take: Effect.fnUntraced(function* (options) {
      let step: Step | undefined
      // Added before the finalizer of the store, so that it runs after it: a step that is dropped here but not in the
      // store could be neither offered nor run.
      yield* Effect.addFinalizer((exit) => {
        if (step === undefined) return Effect.void
        step.running = false
        if (exit._tag === "Failure") return Effect.void
        step.endedAt = now()
        finishedTimes.push(step.endedAt)
        return evictFinished
      })
      const taken = yield* store.take({
        ...options,
        retryDelay: (attempts) =>
          Effect.map(options.retryDelay(attempts), (delay) => {
            // Rounded up, because a sleeper could wake before a fraction of a millisecond again and again.
            const millis = Math.ceil(Duration.toMillis(delay))
            if (step !== undefined) step.dueAt = now() + millis
            return Duration.millis(millis)
          })
      })
      step = steps.get(toStepId(options.name, taken.id))
      if (step !== undefined) step.running = true
      return taken
    }),
    cleanup
  }

  const waiting = Effect.sync(() => {
    const at = now()
    const kinds = new Map<string, { due: number; later: number; running: number; oldest: number }>()
    for (const { dueAt, endedAt, kind, running } of steps.values()) {
      if (endedAt !== undefined) continue
      const sums = kinds.get(kind) ?? { due: 0, later: 0, running: 0, oldest: at }
      kinds.set(kind, sums)
      if (running) sums.running++
      else if (dueAt > at) sums.later++
      else {
        sums.due++
        sums.oldest = Math.min(sums.oldest, dueAt)
      }
    }
    return Array.from(kinds, ([kind, { oldest, ...counted }]) => ({
      kind,
      ...counted,
      oldestMillis: at - oldest
    }))
  })

  return { queue, waiting }
})

const toStepId = (kind: string, key: string): string => JSON.stringify([kind, key])
