/** Durable jobs: work that outlives its request and its process. */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as PersistedQueue from "effect/persistence/PersistedQueue"
import * as References from "effect/References"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { Transaction } from "../../instance/Transaction.ts"
import { exponentialBackoff } from "./exponentialBackoff.ts"
import { type JobKind, OnJobOffer } from "./JobKind.ts"
import { Settings } from "../../instance/Settings.ts"
import { attemptStep } from "./attemptStep.ts"
import { JobStore } from "./JobStore.ts"
import type { Tally, Worker } from "./Worker.ts"
import { DurableJobs, type JobReport } from "./DurableJobs.ts"

export const layerDurableJobs = Layer.effect(
  DurableJobs,
  Effect.gen(function* () {
    const { withTransaction } = yield* Transaction
    const { deadLetter, purgeExpired, queue: store, listQueueDepths } = yield* JobStore
    const { deadLetterRetentionMillis, jobStepRetentionMillis, jobMaintenanceMillis } =
      yield* Settings
    const onOffer = yield* OnJobOffer
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
        // Decoded in `attemptStep`, because the queue would drop undecodable steps silently.
        schema: Schema.Unknown,
        // `attemptStep` counts attempts, because the queue would drop a step whose last attempt crashed the process.
        maxAttempts: maxInt32,
        retrySchedule: kind.retry ?? exponentialBackoff
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
          // Disables tracing of polls; the step itself is traced.
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
      Effect.catchCause((cause) => Effect.logWarning("the maintenance of jobs failed", cause)),
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
        onOffer()
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

/** SQL stores use whole seconds, and all stores behave alike. */
const toWholeSeconds = (delay: Duration.Input) => {
  const seconds = Math.ceil(Duration.toSeconds(Duration.fromInputUnsafe(delay)))
  return seconds > 0 ? { delay: Duration.seconds(seconds) } : undefined
}
