/** Durable jobs: work that outlives its request and its process. */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as References from "effect/References"
import * as Result from "effect/Result"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as PersistedQueue from "effect/persistence/PersistedQueue"
import { Settings } from "../../instance/Settings.ts"
import { Transaction } from "../../instance/Transaction.ts"
import { toErrorType } from "../../values/errors/toErrorType.ts"
import { DurableJobs, type JobReport, type Tally, type Worker } from "./DurableJobs.ts"
import { type JobKind, OnJobOffer } from "./JobKind.ts"
import { type DeadLetter, JobStore } from "./JobStore.ts"

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

/** Tells the queue to retry the step. */
class StepFailed extends Schema.TaggedError<StepFailed>()("StepFailed", {
  /** The only thing the queue stores of an error, because messages may contain secrets. */
  reason: Schema.String
}) {}

interface AttemptContext {
  readonly atomically: Transaction["Service"]["withTransaction"]
  readonly deadLetter: JobStore["Service"]["deadLetter"]
  readonly tally: Tally
}

/** Handles one element of the queue. */
const attemptStep = <A, E, R>(
  kind: JobKind<A>,
  { onExhausted, run }: Worker<A, E, R>,
  { atomically, deadLetter, tally }: AttemptContext
) => {
  const decode = Schema.decodeUnknownResult(kind.envelope)

  /** In one transaction, so that a crash before `onExhausted` ends rolls back the record too. */
  const deadLetterOnce = (dead: DeadLetter) =>
    atomically(
      Effect.flatMap(deadLetter(dead), (isNew) =>
        isNew ? Effect.as(onExhausted(dead), true) : Effect.succeed(false)
      )
    )

  const endStep = Effect.fnUntraced(function* (
    { id, key, offeredAt, payload }: Pick<DeadLetter, "id" | "key" | "offeredAt" | "payload">,
    attempts: number,
    reason: string
  ) {
    const at = yield* Clock.currentTimeMillis
    const notified = yield* Effect.exit(
      deadLetterOnce({
        kind: kind.name,
        id,
        key,
        payload,
        attempts,
        reason,
        at,
        ...(offeredAt === undefined ? undefined : { offeredAt })
      })
    )
    const facts = { kind: kind.name, id, key, attempts, reason }
    if (Exit.isFailure(notified)) {
      yield* Effect.annotateLogs(
        Effect.logError("onExhausted failed for a dead step of a job", ...findDefects(notified)),
        facts
      )
      return yield* new StepFailed({ reason: toErrorType(notified.cause) })
    }
    if (!notified.value) return
    tally.died++
    yield* Effect.annotateLogs(Effect.logError("a step of a job is dead"), facts)
  })

  return Effect.fnUntraced(function* (
    element: unknown,
    { attempts, id: key }: { readonly id: string; readonly attempts: number }
  ) {
    const step = { id: key, key, ...parseStepParts(element) }
    const decoded = decode(element)
    if (Result.isFailure(decoded)) return yield* endStep(step, attempts, "Undecodable")
    if (attempts > kind.maxAttempts) return yield* endStep(step, attempts, "Lost")
    const { id, payload } = decoded.success
    const ended = yield* Effect.suspend(() => run(payload, { id, key, attempt: attempts })).pipe(
      Effect.timeout(kind.timeoutMillis),
      // A step that interrupts itself has failed; an interruption from outside is not caught here.
      Effect.exit
    )
    if (Exit.isSuccess(ended)) {
      tally.succeeded++
      return
    }
    tally.failed++
    const reason = toErrorType(ended.cause)
    if (attempts >= kind.maxAttempts) return yield* endStep(step, attempts, reason)
    yield* Effect.annotateLogs(
      Effect.logWarning("an attempt at a step of a job failed", ...findDefects(ended)),
      { kind: kind.name, id, key, attempts, reason }
    )
    return yield* new StepFailed({ reason })
  })
}

/** The cause of a defect; expected failures are logged by name only. */
const findDefects = ({ cause }: Exit.Failure<unknown, unknown>): ReadonlyArray<unknown> =>
  toErrorType(cause) === "Defect" ? [cause] : []

/** Decodes as much as possible of an element that may have another form. */
const parseStepParts = (
  element: unknown
): { readonly id?: string; readonly payload: unknown; readonly offeredAt?: number } =>
  Result.getOrElse(decodeParts(element), () => ({ payload: element }))

const decodeParts = Schema.decodeUnknownResult(
  Schema.Struct({
    id: Schema.String,
    payload: Schema.Unknown,
    offeredAt: Schema.optionalKey(Schema.Finite)
  })
)

/** One second, doubling to five minutes, with a jitter of a fifth. */
const exponentialBackoff = Schedule.min([
  Schedule.exponential("1 second"),
  Schedule.spaced("5 minutes")
]).pipe(Schedule.jittered)
