/** One attempt at a step: runs it, and on failure retries or dead-letters it. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { Transaction } from "../../instance/Transaction.ts"
import { toErrorType } from "../../values/errors/toErrorType.ts"
import type { JobKind } from "./JobKind.ts"
import type { DeadLetter, JobStore } from "./JobStore.ts"
import type { Tally, Worker } from "./Worker.ts"

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
export const attemptStep = <A, E, R>(
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
