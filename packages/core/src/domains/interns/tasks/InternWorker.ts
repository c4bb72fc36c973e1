/** Runs the tasks of interns at their host, one at a time per intern, and undoes the steps of a failed provision. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { Transaction } from "../../../instance/Transaction.ts"
import { DurableJobs } from "../../../engine/jobs/DurableJobs.ts"
import { Settings } from "../../../instance/Settings.ts"
import { Vaults } from "../../vaults/Vaults.ts"
import {
  CurrentWorkspaceDefaults,
  findTextModel
} from "../../../tenants/workspaces/WorkspaceDefaults.ts"
import { WorkspaceStore } from "../../../tenants/workspaces/WorkspaceStore.ts"
import { InternHostClient } from "../host/InternHostClient.ts"
import { InternUpdater, removeClaim } from "./InternUpdater.ts"
import {
  startProvisioning,
  makeInternTaskHandler,
  isTaskDue,
  type InternTaskHandler,
  type TaskOutcome
} from "./InternTaskHandler.ts"
import type { Intern } from "../Intern.ts"
import { InternHostFailure, InternHostService, noModelMessage } from "../host/InternHost.ts"
import { InternStore } from "../InternStore.ts"
import {
  storeMarginMillis,
  makeInternJobKind,
  InternTask,
  toJobOffer,
  maxTaskAttempts,
  toTaskKey
} from "./InternTask.ts"
import { markReady, InternPreparer } from "./InternPreparer.ts"

const worker = Effect.gen(function* () {
  const defaults = yield* CurrentWorkspaceDefaults
  const { withTransaction } = yield* Transaction
  const { update, claim, release } = yield* InternUpdater
  const host = yield* InternHostService
  const hostClient = yield* InternHostClient
  const jobs = yield* DurableJobs
  const settings = yield* Settings
  const kind = makeInternJobKind(settings)
  const { prepare, setUp } = yield* InternPreparer
  const store = yield* InternStore
  const vaults = yield* Vaults
  const workspaces = yield* WorkspaceStore
  const toHandler = makeInternTaskHandler(host)
  const claimMillis =
    settings.internPrepareTimeoutMillis + settings.internStepTimeoutMillis + storeMarginMillis

  const requireModel = Effect.fnUntraced(function* ({ account, run, workspace }: Intern) {
    if (host.needsModel !== true || run.model !== null) return
    const stored = yield* workspaces.findById(account, workspace)
    if (findTextModel(stored, defaults) !== undefined) return
    return yield* new InternHostFailure({ isFinal: true, problem: noModelMessage })
  })

  /** Applies the outcome and releases the claim; an outcome of a task that is not due any more is dropped. */
  const settleTask = Effect.fnUntraced(function* (
    task: InternTask,
    resolve: (handler: InternTaskHandler, intern: Intern, at: number) => TaskOutcome
  ) {
    const handler = toHandler(task)
    const toRemove = task.kind === "destroy" ? yield* store.find(task.id) : undefined
    const isRemoved =
      toRemove !== undefined &&
      isTaskDue(toRemove, task) &&
      resolve(handler, toRemove, 0).next === "remove"
    if (isRemoved) {
      // Before the row of the intern is locked, as in the deletion of a workspace, to avoid a deadlock.
      const { account, vault, workspace } = toRemove
      yield* vaults.close({ account, workspace }, vault)
    }
    let next: TaskOutcome["next"]
    const after = yield* update(task.id, (now, at) => {
      const ownsClaim = now.claim?.owner === toTaskKey(task)
      if (!isTaskDue(now, task)) return ownsClaim ? removeClaim(now) : undefined
      const outcome = resolve(handler, ownsClaim ? removeClaim(now) : now, at)
      next = outcome.next
      return outcome.after
    })
    if (after === undefined || next === undefined) return
    const { id, run, version } = after
    if (next === "remove") return void (yield* store.remove(version, id))
    const { delayMillis, ...nextTask } = next
    if (run.isOrphan === true && delayMillis !== undefined) {
      yield* Effect.logError(
        `the host of interns ${host.slug} failed to destroy ${id}, whose workspace is deleted; the worker tries again`,
        after.lastFailureMessage
      )
    }
    yield* jobs.offer(
      kind,
      toJobOffer({ id, run: run.number, deferrals: 0, ...nextTask }, delayMillis)
    )
  })
  const settle = (...settled: Parameters<typeof settleTask>) =>
    withTransaction(settleTask(...settled))

  /** The claimed intern; undefined when the task is deferred or not due any more. */
  const claimTask = Effect.fnUntraced(function* (task: InternTask) {
    const claimed = yield* claim(task.id, {
      owner: toTaskKey(task),
      leaseMillis: claimMillis,
      isEligible: (intern) => isTaskDue(intern, task),
      onClaim: (intern, at) => (task.kind === "step" ? startProvisioning(intern, host, at) : intern)
    })
    if (claimed !== undefined) return claimed
    const now = yield* store.find(task.id)
    if (now !== undefined && isTaskDue(now, task)) {
      yield* jobs.offer(kind, toJobOffer({ ...task, deferrals: task.deferrals + 1 }, deferMillis))
    } else {
      // The claim may be left by a process that crashed before the task was superseded.
      yield* release(task.id, toTaskKey(task))
    }
    return undefined
  })

  const runTask = Effect.fnUntraced(function* (task: InternTask, intern: Intern) {
    const owner = toTaskKey(task)
    if (task.kind === "set_up") return void (yield* setUp(intern, owner))
    const { invoke, operation } = toHandler(task)
    if (task.kind === "step" && !intern.creation.isReady) yield* prepare(intern)
    if (task.kind === "step") yield* requireModel(intern)
    const note = yield* hostClient.call(intern, {
      operation,
      timeoutMillis: settings.internStepTimeoutMillis,
      invoke: (_, hosted) => invoke(hosted)
    })
    yield* settle(task, ({ onSuccess }, now, at) =>
      onSuccess(task.kind === "step" ? markReady(now, at) : now, note ?? null, at)
    )
  })

  yield* jobs.work(kind, {
    run: Effect.fnUntraced(function* (task, { attempt }) {
      const intern = yield* claimTask(task)
      if (intern === undefined) return
      const answer = yield* Effect.result(runTask(task, intern))
      if (Result.isSuccess(answer)) return
      const { isFinal = false, problem } = answer.failure
      if (isFinal || attempt >= maxTaskAttempts) {
        return yield* settle(task, ({ onFailure }, now, at) => onFailure(now, problem, at))
      }
      yield* release(task.id, toTaskKey(task))
      return yield* answer.failure
    }),
    onExhausted: Effect.fnUntraced(function* ({ payload }) {
      const task = decodeTask(payload)
      // Without a readable payload the intern is not known.
      if (Result.isFailure(task)) return
      yield* settle(task.success, ({ onFailure, operation }, now, at) =>
        onFailure(now, `${operation}: it was started too often`, at)
      )
    })
  })
})

const decodeTask = Schema.decodeUnknownResult(Schema.toCodecJson(InternTask))

/** Milliseconds until a task is offered again when another process has claimed the intern. */
const deferMillis = 2_000

/** Runs until the Signalbox instance is closed. */
export const layerInternWorker = Layer.effectDiscard(worker).pipe(
  Layer.provide([InternHostClient.layer, InternPreparer.layer, InternUpdater.layer])
)
