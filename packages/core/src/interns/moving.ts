/** Moves interns on when callers ask for it, and has their host follow. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Caller } from "../auth/Caller.ts"
import { DurableJobs } from "../jobs/DurableJobs.ts"
import { Audit } from "../observability/Audit.ts"
import type { Actor } from "../values/Actor.ts"
import type { WorkspaceId } from "../values/WorkspaceId.ts"
import { Missing } from "../values/RequestErrors.ts"
import { changing } from "./changing.ts"
import { factsOf } from "./factsOf.ts"
import type { Intern, InternRun } from "./Intern.ts"
import { LossUnacknowledged, WrongStatus } from "./InternErrors.ts"
import { InternHosting } from "./InternHost.ts"
import type { InternId } from "./InternId.ts"
import { InternStore } from "./InternStore.ts"
import { firstTask, internKind, type InternTask, offered } from "./internTask.ts"
import { isArchiveFailed } from "./archiveFailed.ts"
import { type InternEvent, lifecycle } from "./lifecycle.ts"
import { queued } from "./queued.ts"
import { toldIntern } from "./toldIntern.ts"

interface Move<E> {
  /** What it is called in the audit log. */
  readonly action: string
  readonly event: InternEvent
  /** Why it may not happen, though its status allows it. */
  readonly refusal: (intern: Intern) => E | undefined
  readonly to: (intern: Intern, at: number) => Intern
  readonly task: (after: Intern) => InternTask["does"]
}

export const moving = Effect.gen(function* () {
  const audit = yield* Audit
  const { change } = yield* changing
  const host = yield* InternHosting
  const jobs = yield* DurableJobs
  const kind = yield* internKind
  const store = yield* InternStore

  const moveOn = Effect.fnUntraced(function* <E>(
    id: InternId,
    { event, refusal, task, to }: Move<E>
  ) {
    let before: Intern | undefined
    const after = yield* change(id, (now, at) => {
      before = now
      const status = lifecycle(now.status, event)
      return status === undefined || refusal(now) !== undefined
        ? undefined
        : { ...to(now, at), status, progress: null, updatedAt: at }
    })
    if (before === undefined) return yield* new Missing({ what: "intern", id })
    if (after === undefined) {
      const { status } = before
      return yield* Effect.fail(refusal(before) ?? new WrongStatus({ status, event }))
    }
    yield* jobs.offer(kind, offered(firstTask(task(after), after)))
    return { result: after, target: id, before: toldIntern(before), after: toldIntern(after) }
  })

  const move = <E>(actor: Actor, id: InternId, by: Move<E>) =>
    audit.change(actor, by.action, moveOn(id, by))

  /** It never ran; or it was archived or lost before: what is left of it by now must not take that one's place. */
  const hasNothingToArchive = (intern: Intern): boolean =>
    host.archive === undefined ||
    !intern.run.hasRun ||
    (intern.status === "destroy_failed" && !isArchiveFailed(intern))

  const destruction = <E>(
    archive: NonNullable<InternRun["archive"]>,
    refusal: Move<E>["refusal"]
  ): Move<E> => ({
    action: "intern.delete",
    event: "delete",
    refusal,
    to: (intern) => ({
      ...intern,
      lastFailureMessage: null,
      run: {
        ...nextRun(intern, "destroy"),
        archive: hasNothingToArchive(intern) ? "skipped" : archive
      }
    }),
    task: ({ run }) => (run.archive === "skipped" ? "destroy" : "archive")
  })
  const acknowledged = destruction("skipped", nothing)
  const unacknowledged = destruction("required", (intern) =>
    isArchiveFailed(intern) ? new LossUnacknowledged() : undefined
  )
  /** Nobody is left to acknowledge anything, or to ask again. */
  const given = destruction("tried", nothing)
  const orphaned: typeof given = {
    ...given,
    to: (intern, at) => orphan(given.to(intern, at))
  }

  /** Whatever else becomes of it at the same time. */
  const leave = Effect.fnUntraced(function* (actor: Actor, { id, status: seen }: Intern) {
    let isLeaving = seen === "destroying"
    while (true) {
      if (!isLeaving) {
        const moved = yield* Effect.result(move(actor, id, orphaned))
        if (Result.isSuccess(moved) || moved.failure._tag === "Missing") return
      }
      yield* change(id, (now) => {
        isLeaving = now.status === "destroying"
        return isLeaving && now.run.isOrphan !== true ? orphan(now) : undefined
      })
      if (isLeaving) return
    }
  })

  const leaveFrom = (
    actor: Actor,
    workspace: WorkspaceId,
    after: number | undefined
  ): Effect.Effect<void> =>
    Effect.flatMap(
      store.list(
        actor.account,
        { workspace },
        { limit: 500, ...(after === undefined ? undefined : { after }) }
      ),
      ({ next, rows }) =>
        Effect.andThen(
          Effect.forEach(rows, (intern) => leave(actor, intern), { discard: true }),
          next === undefined ? Effect.void : leaveFrom(actor, workspace, next)
        )
    )

  return {
    provision: (caller: Caller, id: InternId) => move(caller, id, provision),
    suspend: (caller: Caller, id: InternId) => move(caller, id, suspend),
    destroy: (caller: Caller, id: InternId, acknowledgesLoss: boolean) =>
      move(caller, id, acknowledgesLoss ? acknowledged : unacknowledged),
    /** Has all interns of a workspace destroyed that is being deleted. */
    leave: (actor: Actor, workspace: WorkspaceId) => leaveFrom(actor, workspace, undefined)
  }
})

const nothing = (): undefined => undefined

/** What is left to be done of it is done without anybody who could be asked. */
const orphan = (intern: Intern): Intern => {
  const { archive, ...run } = intern.run
  return {
    ...intern,
    run: {
      ...run,
      isOrphan: true,
      ...(archive === undefined
        ? undefined
        : { archive: archive === "required" ? "tried" : archive })
    }
  }
}

/** With what the one before began with: the host knows the intern by that. */
const nextRun = (intern: Intern, kind: InternRun["kind"]): InternRun => {
  const { run } = intern
  const { instructions, model, name } = factsOf(intern)
  return {
    number: run.number + 1,
    kind,
    hasRun: run.hasRun,
    name,
    model,
    instructions,
    done: 0,
    notes: run.notes
  }
}

const provision: Move<never> = {
  action: "intern.provision",
  event: "provision",
  refusal: nothing,
  to: queued,
  task: () => "step"
}

const suspend: Move<never> = {
  action: "intern.suspend",
  event: "suspend",
  refusal: nothing,
  to: (intern) => ({ ...intern, run: nextRun(intern, "suspend") }),
  task: () => "suspend"
}
