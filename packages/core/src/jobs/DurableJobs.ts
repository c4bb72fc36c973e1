/** Work that outlives the request that asked for it, and the process that began it. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as PersistedQueue from "effect/persistence/PersistedQueue"
import * as References from "effect/References"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { Transaction } from "../Transaction.ts"
import { Settings } from "../Settings.ts"
import { attemptStep } from "./attemptStep.ts"
import type { JobKind } from "./JobKind.ts"
import { JobStore, type QueueDepth } from "./JobStore.ts"
import type { Tally, Worker } from "./Worker.ts"

/** A step to be run: once, or more often when a process ends in the middle of it. */
export interface JobStep<A> {
  /** Of what it belongs to, such as a video job; told with it wherever it is told of. */
  readonly id: string
  /** Which step of it: `<id>-<step>`, at most 255 characters. Offered again it does nothing. */
  readonly key: string
  readonly payload: A
  /** Not before; rounded up to whole seconds. */
  readonly delay?: Duration.Input
}

/** How it stands with one kind of step: in the store, and with the attempts of this process. */
export interface JobReport extends QueueDepth {
  /** Whether this process works on it; the steps of a kind that nobody works on wait. */
  readonly worked: boolean
  readonly succeeded: number
  readonly failed: number
  /** Steps that were buried. */
  readonly died: number
}

/**
 * Runs steps at least once, in no promised order. A step must be repeatable: it moves a row by
 * compare-and-set, and offers what follows in the same atomic effect.
 */
export class DurableJobs extends Context.Service<
  DurableJobs,
  {
    /**
     * Belongs to the atomic effect around it: run if that is kept, forgotten if it is undone. Dies when
     * the store fails, the key is too long, or the payload is not of its kind.
     */
    readonly offer: <A>(kind: JobKind<A>, step: JobStep<A>) => Effect.Effect<void>
    /**
     * Works on steps of this kind until the scope closes; those that run then are interrupted, handed
     * back and not counted as tried. Dies when this process works on the kind already.
     */
    readonly work: <A, E, R>(
      kind: JobKind<A>,
      worker: Worker<A, E, R>
    ) => Effect.Effect<void, never, R | Scope.Scope>
    /** Of every kind that has unfinished steps or was worked on here. Dies when the store fails. */
    readonly listReports: Effect.Effect<ReadonlyArray<JobReport>>
  }
>()("@signalbox/core/jobs/DurableJobs") {
  static readonly layer: Layer.Layer<DurableJobs, never, Transaction | JobStore> = Layer.effect(
    DurableJobs,
    Effect.gen(function* () {
      const { withTransaction } = yield* Transaction
      const { deadLetter, purgeExpired, queue: store, listQueueDepths } = yield* JobStore
      const { deadLetterRetentionMillis, jobStepRetentionMillis, jobMaintenanceMillis } =
        yield* Settings
      const factory = yield* Effect.provideService(
        PersistedQueue.makeFactory,
        PersistedQueue.PersistedQueueStore,
        store
      )
      const tallies = new Map<string, Tally>()

      const work = Effect.fnUntraced(function* <A, E, R>(
        kind: JobKind<A>,
        worker: Worker<A, E, R>
      ): Effect.fn.Return<void, never, R | Scope.Scope> {
        const tally = yield* Effect.acquireRelease(
          Effect.sync(() => startTally(tallies, kind.name)),
          (entered) => Effect.sync(() => void (entered.worked = false))
        )
        const queue = yield* factory.make({
          name: kind.name,
          // What its kind cannot read is buried by us: the queue would tell nobody.
          schema: Schema.Unknown,
          // Nor does the queue give up, or a step whose last attempt took the process with it were never told of.
          maxAttempts: maxInt32,
          retrySchedule: kind.retry
        })
        const isTraced = yield* References.TracerEnabled
        const attempt = attemptStep(kind, worker, {
          atomically: withTransaction,
          deadLetter,
          tally
        })
        const workOne = queue
          .take((element, meta) => Effect.withTracerEnabled(attempt(element, meta), isTraced))
          .pipe(
            Effect.catchTag("StepFailed", () => Effect.void),
            Effect.catchCause((cause) =>
              Effect.andThen(
                Effect.logError(`steps of ${kind.name} cannot be taken or handed back`, cause),
                Effect.sleep("1 second")
              )
            ),
            Effect.forever,
            // The look for a step; the step itself is traced.
            Effect.withTracerEnabled(false)
          )
        yield* Effect.forkScoped(
          Effect.all(
            Array.from({ length: kind.concurrency }, () => workOne),
            { concurrency: "unbounded", discard: true }
          )
        )
      })

      const report = Effect.map(listQueueDepths, (kept): ReadonlyArray<JobReport> => {
        const unfinished = new Map(kept.map((each) => [each.kind, each]))
        return Array.from(new Set([...unfinished.keys(), ...tallies.keys()]), (kind) => ({
          ...(unfinished.get(kind) ?? { kind, ...emptyQueue }),
          ...(tallies.get(kind) ?? emptyTally)
        }))
      })

      const reported = new Set<string>()
      const warnUnworkedKinds = Effect.fnUntraced(function* () {
        for (const { due, kind, later, worked } of yield* report) {
          if (worked || reported.has(kind)) continue
          reported.add(kind)
          yield* Effect.logWarning(
            `${due + later} steps of ${kind} wait for a process that works on this kind`
          )
        }
      })
      yield* purgeExpired({
        finishedMillis: jobStepRetentionMillis,
        deadMillis: deadLetterRetentionMillis
      }).pipe(
        Effect.andThen(warnUnworkedKinds),
        Effect.catchCause((cause) => Effect.logWarning("the upkeep of jobs failed", cause)),
        Effect.delay(jobMaintenanceMillis),
        Effect.repeat(Schedule.forever),
        Effect.withTracerEnabled(false),
        Effect.forkScoped
      )

      return {
        offer: Effect.fnUntraced(function* (kind, { delay, id, key, payload }) {
          if (key.length > 255) {
            return yield* Effect.die(new RangeError(`a key of ${kind.name} is too long: ${key}`))
          }
          const offeredAt = yield* Clock.currentTimeMillis
          const element = yield* Effect.orDie(
            Schema.encodeEffect(kind.envelope)({ id, payload, offeredAt })
          )
          yield* Effect.orDie(
            store.offer({
              name: kind.name,
              id: key,
              element,
              isCustomId: true,
              ...(delay === undefined ? undefined : toWholeSeconds(delay))
            })
          )
        }),
        work,
        listReports: report
      }
    })
  )
}

const emptyTally: Readonly<Tally> = { worked: false, succeeded: 0, failed: 0, died: 0 }
const emptyQueue = { due: 0, later: 0, running: 0, oldestMillis: 0 }
const maxInt32 = 2_147_483_647

const startTally = (tallies: Map<string, Tally>, kind: string): Tally => {
  const tally = tallies.get(kind) ?? { ...emptyTally }
  if (tally.worked) throw new Error(`this process works on ${kind} already`)
  tallies.set(kind, tally)
  tally.worked = true
  return tally
}

/** SQL stores know whole seconds alone, and all stores are to be alike. */
const toWholeSeconds = (delay: Duration.Input) => {
  const seconds = Math.ceil(Duration.toSeconds(Duration.fromInputUnsafe(delay)))
  return seconds > 0 ? { delay: Duration.seconds(seconds) } : undefined
}
