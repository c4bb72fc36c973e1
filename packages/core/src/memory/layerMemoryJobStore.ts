/** Keeps the steps of durable jobs, and dead letters, in memory. */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as PersistedQueue from "effect/persistence/PersistedQueue"
import { MemoryJournal } from "./MemoryJournal.ts"
import { makeMemoryTable } from "./makeMemoryTable.ts"
import { Settings } from "../instance/Settings.ts"
import { layerSteadyClock } from "../values/makeSteadyClock.ts"
import { toCursorPage } from "../values/pages/CursorPage.ts"
import { makeMemoryQueue } from "./memoryQueue.ts"
import { JobStore, type DeadLetter } from "../engine/jobs/JobStore.ts"

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
