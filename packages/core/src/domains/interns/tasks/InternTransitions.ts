/** Applies the transitions that callers ask for, and enqueues the tasks that carry them out. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import type { Caller } from "../../../tenants/auth/Caller.ts"
import { DurableJobs } from "../../../engine/jobs/DurableJobs.ts"
import { Audit } from "../../../engine/observability/audit/Audit.ts"
import { Settings } from "../../../instance/Settings.ts"
import type { Actor } from "../../../values/Actor.ts"
import type { WorkspaceId } from "../../../values/ids/Ids.ts"
import { omitUndefined } from "../../../values/ownFields.ts"
import { ResourceNotFound } from "../../../values/errors/RequestErrors.ts"
import { InternUpdater } from "./InternUpdater.ts"
import { toHostView } from "../host/InProcessHost.ts"
import { type Intern, type InternRun, LossUnacknowledged, WrongStatus } from "../Intern.ts"
import { InternHostService } from "../host/InternHost.ts"
import type { InternId } from "../InternId.ts"
import { type InternEvent, findNextStatus } from "../InternStatus.ts"
import { InternStore } from "../InternStore.ts"
import {
  makeFirstTask,
  makeInternJobKind,
  type InternTask,
  startRun,
  toJobOffer,
  toQueuedIntern
} from "./InternTask.ts"
import { hasArchiveFailure } from "./InternTaskHandler.ts"
import { toInternResponse } from "../toInternResponse.ts"

interface Transition<E> {
  /** The action in the audit log. */
  readonly action: string
  readonly event: InternEvent
  /** Why the transition is rejected although the status allows it. */
  readonly findRejection: (intern: Intern) => E | undefined
  readonly apply: (intern: Intern, at: number) => Intern
  readonly toTaskKind: (after: Intern) => InternTask["kind"]
}

type Moved<E = never> = Effect.Effect<Intern, ResourceNotFound | WrongStatus | E>

/** Moves interns between statuses. */
export class InternTransitions extends Context.Service<
  InternTransitions,
  {
    readonly provision: (caller: Caller, id: InternId) => Moved
    readonly suspend: (caller: Caller, id: InternId) => Moved
    readonly destroy: (
      caller: Caller,
      id: InternId,
      acknowledgesLoss: boolean
    ) => Moved<LossUnacknowledged>
    /** Destroys all interns of a workspace that is being deleted. */
    readonly destroyAll: (actor: Actor, workspace: WorkspaceId) => Effect.Effect<void>
  }
>()("@signalbox/core/domains/interns/tasks/InternTransitions") {
  static readonly layer = Layer.effect(
    InternTransitions,
    Effect.gen(function* () {
      const audit = yield* Audit
      const { update } = yield* InternUpdater
      const host = yield* InternHostService
      const jobs = yield* DurableJobs
      const kind = makeInternJobKind(yield* Settings)
      const store = yield* InternStore

      const applyTransition = Effect.fnUntraced(function* <E>(
        id: InternId,
        { event, findRejection, toTaskKind, apply }: Transition<E>
      ) {
        let before: Intern | undefined
        const after = yield* update(id, (now, at) => {
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

      /** After a failed destroy the archive exists already, and must not be overwritten with the remains. */
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
      /** When the workspace is deleted, no caller can acknowledge a loss or try again. */
      const bestEffortDestruction = makeDestruction("best_effort", noRejection)
      const orphanDestruction: typeof bestEffortDestruction = {
        ...bestEffortDestruction,
        apply: (intern, at) => markOrphan(bestEffortDestruction.apply(intern, at))
      }

      /** Retries after each conflict with another writer, until the intern is destroying. */
      const destroyOrphan = Effect.fnUntraced(function* (
        actor: Actor,
        { id, status: seen }: Intern
      ) {
        let isDestroying = seen === "destroying"
        while (true) {
          if (!isDestroying) {
            const moved = yield* Effect.result(runTransition(actor, id, orphanDestruction))
            if (Result.isSuccess(moved) || moved.failure._tag === "ResourceNotFound") return
          }
          yield* update(id, (now) => {
            isDestroying = now.status === "destroying"
            return isDestroying && now.run.isOrphan !== true ? markOrphan(now) : undefined
          })
          if (isDestroying) return
        }
      })

      const destroyInWorkspace = (
        actor: Actor,
        workspace: WorkspaceId,
        after: number | undefined
      ): Effect.Effect<void> =>
        Effect.flatMap(
          store.list(actor.account, { workspace }, { limit: 500, ...omitUndefined({ after }) }),
          ({ nextCursor, rows }) =>
            Effect.andThen(
              Effect.forEach(rows, (intern) => destroyOrphan(actor, intern), { discard: true }),
              nextCursor === undefined
                ? Effect.void
                : destroyInWorkspace(actor, workspace, nextCursor)
            )
        )

      return {
        provision: (caller, id) => runTransition(caller, id, provision),
        suspend: (caller, id) => runTransition(caller, id, suspend),
        destroy: (caller, id, acknowledgesLoss) =>
          runTransition(
            caller,
            id,
            acknowledgesLoss ? acknowledgedDestruction : unacknowledgedDestruction
          ),
        destroyAll: (actor, workspace) => destroyInWorkspace(actor, workspace, undefined)
      }
    })
  ).pipe(Layer.provide(InternUpdater.layer))
}

const noRejection = (): undefined => undefined

/** Marks an intern whose workspace is deleted: the rest of its tasks has no caller to report to. */
const markOrphan = (intern: Intern): Intern => {
  const { archive, ...run } = intern.run
  return {
    ...intern,
    run: {
      ...run,
      isOrphan: true,
      ...omitUndefined({ archive: archive === "required" ? ("best_effort" as const) : archive })
    }
  }
}

/** The host knows the intern by the name, model and instructions of the previous run. */
const toNextRun = (intern: Intern, kind: InternRun["kind"]): InternRun =>
  startRun(intern, kind, toHostView(intern))

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
