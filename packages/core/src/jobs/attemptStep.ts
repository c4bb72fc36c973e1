/** One attempt at a step: runs it, has it tried again, or buries it. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { Atomically } from "../Atomically.ts"
import { errorType } from "../values/errorType.ts"
import type { JobKind } from "./JobKind.ts"
import type { DeadStep, JobStore } from "./JobStore.ts"
import type { Tally, Worker } from "./Worker.ts"

/** Tells the queue that the step is to be tried again. */
class StepFailed extends Schema.TaggedError<StepFailed>()("StepFailed", {
  /** All that the queue keeps of why: words of errors may hold secrets. */
  reason: Schema.String
}) {}

interface Where {
  readonly atomically: Atomically["Service"]["atomically"]
  readonly bury: JobStore["Service"]["bury"]
  readonly tally: Tally
}

/** What a queue does with each element it hands out. */
export const attemptStep = <A, E, R>(
  kind: JobKind<A>,
  { onExhausted, run }: Worker<A, E, R>,
  { atomically, bury, tally }: Where
) => {
  const decode = Schema.decodeUnknownResult(kind.envelope)

  /** In one atomic effect, so that a crash between the record and the telling undoes both. */
  const tellDead = (dead: DeadStep) =>
    atomically(
      Effect.flatMap(bury(dead), (isNew) =>
        isNew ? Effect.as(onExhausted(dead), true) : Effect.succeed(false)
      )
    )

  const end = Effect.fnUntraced(function* (
    { id, key, offeredAt, payload }: Pick<DeadStep, "id" | "key" | "offeredAt" | "payload">,
    attempts: number,
    reason: string
  ) {
    const at = yield* Clock.currentTimeMillis
    const told = yield* Effect.exit(
      tellDead({
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
    if (Exit.isFailure(told)) {
      yield* Effect.annotateLogs(
        Effect.logError("nobody could be told that a step of a job is dead", ...bugIn(told)),
        facts
      )
      return yield* new StepFailed({ reason: errorType(told.cause) })
    }
    if (!told.value) return
    tally.died++
    yield* Effect.annotateLogs(Effect.logError("a step of a job is dead"), facts)
  })

  return Effect.fnUntraced(function* (
    element: unknown,
    { attempts, id: key }: { readonly id: string; readonly attempts: number }
  ) {
    const step = { id: key, key, ...partsOf(element) }
    const decoded = decode(element)
    if (Result.isFailure(decoded)) return yield* end(step, attempts, "Undecodable")
    if (attempts > kind.attempts) return yield* end(step, attempts, "Lost")
    const { id, payload } = decoded.success
    const ended = yield* Effect.suspend(() => run(payload, { id, key, attempt: attempts })).pipe(
      Effect.timeout(kind.deadlineMillis),
      // What interrupts itself has failed; an interruption from outside goes past this.
      Effect.exit
    )
    if (Exit.isSuccess(ended)) {
      tally.succeeded++
      return
    }
    tally.failed++
    const reason = errorType(ended.cause)
    if (attempts >= kind.attempts) return yield* end(step, attempts, reason)
    yield* Effect.annotateLogs(
      Effect.logWarning("an attempt at a step of a job failed", ...bugIn(ended)),
      { kind: kind.name, id, key, attempts, reason }
    )
    return yield* new StepFailed({ reason })
  })
}

/** The cause of what nobody expected; expected failures are told by name. */
const bugIn = ({ cause }: Exit.Failure<unknown, unknown>): ReadonlyArray<unknown> =>
  errorType(cause) === "Defect" ? [cause] : []

/** As much as can be read of what may have another form. */
const partsOf = (
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
