/** Moves interns on when callers ask for it, and has their host follow. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Caller } from "../../auth/Caller.ts"
import { DurableJobs } from "../../jobs/DurableJobs.ts"
import { Audit } from "../../observability/Audit.ts"
import type { Actor } from "../../values/Actor.ts"
import type { WorkspaceId } from "../../values/ids/WorkspaceId.ts"
import { ResourceNotFound } from "../../values/errors/RequestErrors.ts"
import { makeInternUpdater } from "./InternUpdater.ts"
import { toHostView } from "../host/toHostView.ts"
import type { Intern, InternRun } from "../Intern.ts"
import { LossUnacknowledged, WrongStatus } from "../InternErrors.ts"
import { InternHostService } from "../host/InternHost.ts"
import type { InternId } from "../InternId.ts"
import { InternStore } from "../InternStore.ts"
import { makeFirstTask, makeInternJobKind, type InternTask, toJobOffer } from "./InternTask.ts"
import { hasArchiveFailure } from "../archiveFailure.ts"
import { type InternEvent, findNextStatus } from "../lifecycle.ts"
import { toQueuedIntern } from "./toQueuedIntern.ts"
import { toInternResponse } from "../toInternResponse.ts"

interface Transition<E> {
  /** What it is called in the audit log. */
  readonly action: string
  readonly event: InternEvent
  /** Why it may not happen, though its status allows it. */
  readonly findRejection: (intern: Intern) => E | undefined
  readonly apply: (intern: Intern, at: number) => Intern
  readonly toTaskKind: (after: Intern) => InternTask["kind"]
}

export const makeInternTransitions = Effect.gen(function* () {
  const audit = yield* Audit
  const { change: modify } = yield* makeInternUpdater
  const host = yield* InternHostService
  const jobs = yield* DurableJobs
  const kind = yield* makeInternJobKind
  const store = yield* InternStore

  const applyTransition = Effect.fnUntraced(function* <E>(
    id: InternId,
    { event, findRejection, toTaskKind, apply }: Transition<E>
  ) {
    let before: Intern | undefined
    const after = yield* modify(id, (now, at) => {
      before = now
      const status = findNextStatus(now.status, event)
      return status === undefined || findRejection(now) !== undefined
        ? undefined
        : { ...apply(now, at), status, progress: null, updatedAt: at }
    })
    if (before === undefined) return yield* new ResourceNotFound({ resource: "intern", id })
    if (after === undefined) {
      const { status } = before
      return yield* Effect.fail(findRejection(before) ?? new WrongStatus({ status, event }))
    }
    yield* jobs.offer(kind, toJobOffer(makeFirstTask(toTaskKind(after), after)))
    return {
      result: after,
      target: id,
      before: toInternResponse(before),
      after: toInternResponse(after)
    }
  })

  const runTransition = <E>(actor: Actor, id: InternId, by: Transition<E>) =>
    audit.change(actor, by.action, applyTransition(id, by))

  /** It never ran; or it was archived or lost before: what is left of it by now must not take that one's place. */
  const hasNothingToArchive = (intern: Intern): boolean =>
    host.archive === undefined ||
    !intern.run.hasRun ||
    (intern.status === "destroy_failed" && !hasArchiveFailure(intern))

  const makeDestruction = <E>(
    archive: NonNullable<InternRun["archive"]>,
    findRejection: Transition<E>["findRejection"]
  ): Transition<E> => ({
    action: "intern.delete",
    event: "delete",
    findRejection,
    apply: (intern) => ({
      ...intern,
      lastFailureMessage: null,
      run: {
        ...toNextRun(intern, "destroy"),
        archive: hasNothingToArchive(intern) ? "skipped" : archive
      }
    }),
    toTaskKind: ({ run }) => (run.archive === "skipped" ? "destroy" : "archive")
  })
  const acknowledgedDestruction = makeDestruction("skipped", noRejection)
  const unacknowledgedDestruction = makeDestruction("required", (intern) =>
    hasArchiveFailure(intern) ? new LossUnacknowledged() : undefined
  )
  /** Nobody is left to acknowledge anything, or to ask again. */
  const bestEffortDestruction = makeDestruction("best_effort", noRejection)
  const orphanDestruction: typeof bestEffortDestruction = {
    ...bestEffortDestruction,
    apply: (intern, at) => markOrphan(bestEffortDestruction.apply(intern, at))
  }

  /** Whatever else becomes of it at the same time. */
  const destroyOrphan = Effect.fnUntraced(function* (actor: Actor, { id, status: seen }: Intern) {
    let isLeaving = seen === "destroying"
    while (true) {
      if (!isLeaving) {
        const moved = yield* Effect.result(runTransition(actor, id, orphanDestruction))
        if (Result.isSuccess(moved) || moved.failure._tag === "ResourceNotFound") return
      }
      yield* modify(id, (now) => {
        isLeaving = now.status === "destroying"
        return isLeaving && now.run.isOrphan !== true ? markOrphan(now) : undefined
      })
      if (isLeaving) return
    }
  })

  const destroyInWorkspace = (
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
      ({ nextCursor, rows }) =>
        Effect.andThen(
          Effect.forEach(rows, (intern) => destroyOrphan(actor, intern), { discard: true }),
          nextCursor === undefined ? Effect.void : destroyInWorkspace(actor, workspace, nextCursor)
        )
    )

  return {
    provision: (caller: Caller, id: InternId) => runTransition(caller, id, provision),
    suspend: (caller: Caller, id: InternId) => runTransition(caller, id, suspend),
    destroy: (caller: Caller, id: InternId, acknowledgesLoss: boolean) =>
      runTransition(
        caller,
        id,
        acknowledgesLoss ? acknowledgedDestruction : unacknowledgedDestruction
      ),
    /** Has all interns of a workspace destroyed that is being deleted. */
    leave: (actor: Actor, workspace: WorkspaceId) => destroyInWorkspace(actor, workspace, undefined)
  }
})

const noRejection = (): undefined => undefined

/** What is left to be done of it is done without anybody who could be asked. */
const markOrphan = (intern: Intern): Intern => {
  const { archive, ...run } = intern.run
  return {
    ...intern,
    run: {
      ...run,
      isOrphan: true,
      ...(archive === undefined
        ? undefined
        : { archive: archive === "required" ? "best_effort" : archive })
    }
  }
}

/** With what the one before began with: the host knows the intern by that. */
const toNextRun = (intern: Intern, kind: InternRun["kind"]): InternRun => {
  const { run } = intern
  const { instructions, model, name } = toHostView(intern)
  return {
    number: run.number + 1,
    kind,
    hasRun: run.hasRun,
    name,
    model,
    instructions,
    completedSteps: 0,
    notes: run.notes
  }
}

const provision: Transition<never> = {
  action: "intern.provision",
  event: "provision",
  findRejection: noRejection,
  apply: toQueuedIntern,
  toTaskKind: () => "step"
}

const suspend: Transition<never> = {
  action: "intern.suspend",
  event: "suspend",
  findRejection: noRejection,
  apply: (intern) => ({ ...intern, run: toNextRun(intern, "suspend") }),
  toTaskKind: () => "suspend"
}
