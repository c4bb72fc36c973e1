/** Where steps wait, and what is known of those that wait and those that died. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as PersistedQueue from "effect/persistence/PersistedQueue"
import { MemoryJournal } from "../MemoryJournal.ts"
import { makeMemoryTable } from "../makeMemoryTable.ts"
import { Settings } from "../Settings.ts"
import { type CursorRequest, type CursorPage, toCursorPage } from "../values/pages/CursorPage.ts"
import { makeMemoryQueue } from "./memoryQueue.ts"

/** The steps of one kind that are not finished. */
export interface QueueDepth {
  readonly kind: string
  /** Due, and taken by nobody. */
  readonly due: number
  /** To be run later: delayed, or between two attempts. */
  readonly later: number
  /** Taken by some process. */
  readonly running: number
  /** Milliseconds for which the oldest of those due has been due; 0 if none is. */
  readonly oldestMillis: number
}

/** A step that is not tried again. */
export interface DeadLetter {
  readonly kind: string
  /** Of what it belonged to. */
  readonly id: string
  readonly key: string
  /** As it lay in the store. */
  readonly payload: unknown
  /** How often it was begun. */
  readonly attempts: number
  /**
   * The tag of the error its last attempt ended with, or `Error`, `Defect`, `Interrupted`,
   * `TimeoutError`; `Undecodable`: its kind cannot read it; `Lost`: how the last attempt ended is not known,
   * since its process was gone or nobody could be told.
   */
  readonly reason: string
  /** Milliseconds since the epoch. */
  readonly at: number
  /** The same of when it was offered; absent where nobody knows. */
  readonly offeredAt?: number
}

/**
 * Race: `queue.offer` and `bury` belong to the atomic effect around them: nobody sees them before it is
 * kept, or ever when it is undone. Of several who offer or bury one kind and key at once, one does.
 */
export class JobStore extends Context.Service<
  JobStore,
  {
    readonly queue: PersistedQueue.PersistedQueueStore["Service"]
    /** One for each kind that has unfinished steps, those of other processes and older releases too. */
    readonly listQueueDepths: Effect.Effect<ReadonlyArray<QueueDepth>>
    /**
     * False when its death is kept already. A record of the same kind and key from before it was offered is of
     * another step, which it takes the place of.
     */
    readonly deadLetter: (step: DeadLetter) => Effect.Effect<boolean>
    /** The latest to be buried first, at the same cost however many there are. */
    readonly listDeadLetters: (scroll: CursorRequest) => Effect.Effect<CursorPage<DeadLetter>>
    /** Forgets steps that finished, and dead ones, as many milliseconds ago. */
    readonly purgeExpired: (ago: {
      readonly finishedMillis: number
      readonly deadMillis: number
    }) => Effect.Effect<void>
  }
>()("@signalbox/core/jobs/JobStore") {
  /** Remembers the latest `Settings.maxJobSteps` that finished, or twice as many, and as many dead ones. */
  static readonly layerMemory: Layer.Layer<JobStore, never, MemoryJournal> = Layer.effect(
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
        listDeadLetters: (scroll) =>
          Effect.sync(() => toCursorPage(dead.newestFirst(scroll.after), scroll)),
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
  ).pipe(Layer.provide(PersistedQueue.layerStoreMemory))
}
