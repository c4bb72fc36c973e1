/** Does at the host of interns what is to be done, of each one thing at a time, and undoes what was half done. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { Transaction } from "../../Transaction.ts"
import { DurableJobs } from "../../jobs/DurableJobs.ts"
import { Settings } from "../../Settings.ts"
import { Vaults } from "../../vaults/Vaults.ts"
import type { WorkspaceStore } from "../../workspaces/WorkspaceStore.ts"
import { makeInternHostClient } from "../host/InternHostClient.ts"
import { makeInternUpdater, removeClaim } from "./InternUpdater.ts"
import { makeInternModelChecker } from "../InternModelChecker.ts"
import {
  startProvisioning,
  makeInternTaskHandler,
  isTaskDue,
  type TaskOutcome
} from "./InternTaskHandler.ts"
import type { Intern } from "../Intern.ts"
import { InternHostService } from "../host/InternHost.ts"
import { InternStore } from "../InternStore.ts"
import {
  storeMarginMillis,
  makeInternJobKind,
  InternTask,
  toJobOffer,
  maxTaskAttempts,
  toTaskKey
} from "./InternTask.ts"
import { markReady, makeInternPreparer } from "./InternPreparer.ts"

const worker = Effect.gen(function* () {
  const callHost = yield* makeInternHostClient
  const { withTransaction } = yield* Transaction
  const { change, claim, release } = yield* makeInternUpdater
  const host = yield* InternHostService
  const jobs = yield* DurableJobs
  const kind = yield* makeInternJobKind
  const { internPrepareTimeoutMillis, internStepTimeoutMillis } = yield* Settings
  const { prepare, setUp } = yield* makeInternPreparer
  const checkModel = yield* makeInternModelChecker
  const store = yield* InternStore
  const vaults = yield* Vaults
  const toHandler = makeInternTaskHandler(host)
  const claimMillis = internPrepareTimeoutMillis + internStepTimeoutMillis + storeMarginMillis

  /** The claim goes with it. When it is not the task's turn any more, nothing else happens. */
  const settleTask = Effect.fnUntraced(function* (
    task: InternTask,
    to: (handler: ReturnType<typeof toHandler>) => (intern: Intern, at: number) => TaskOutcome
  ) {
    const outcomeOf = to(toHandler(task))
    const toRemove = task.kind === "destroy" ? yield* store.find(task.id) : undefined
    if (
      toRemove !== undefined &&
      isTaskDue(toRemove, task) &&
      outcomeOf(toRemove, 0).next === "remove"
    ) {
      // Before its row is written to, as when a workspace goes: else the two could wait for each other.
      const { account, vault, workspace } = toRemove
      yield* vaults.close({ account, workspace }, vault)
    }
    let next: TaskOutcome["next"]
    const after = yield* change(task.id, (now, at) => {
      const ownsClaim = now.claim?.owner === toTaskKey(task)
      if (!isTaskDue(now, task)) return ownsClaim ? removeClaim(now) : undefined
      const outcome = outcomeOf(ownsClaim ? removeClaim(now) : now, at)
      next = outcome.next
      return outcome.after
    })
    if (after === undefined || next === undefined) return
    const { id, run, version } = after
    if (next === "remove") return void (yield* store.remove(version, id))
    const { delayMillis, ...nextTask } = next
    if (run.isOrphan === true && delayMillis !== undefined) {
      yield* Effect.logError(
        `the host of interns ${host.slug} cannot take down ${id}, whose workspace is gone; it is asked again later`,
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

  /** The intern, whose host nobody else calls meanwhile; undefined when it is not the task's turn, now or any more. */
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
      // Of a process that ended in the middle of it, before something else was asked for.
      yield* release(task.id, toTaskKey(task))
    }
    return undefined
  })

  const runTask = Effect.fnUntraced(function* (task: InternTask, intern: Intern) {
    const by = toTaskKey(task)
    if (task.kind === "set_up") return void (yield* setUp(intern, by))
    const { invoke: question, operation } = toHandler(task)
    if (task.kind === "step" && !intern.creation.isReady) yield* prepare(intern)
    if (task.kind === "step") yield* checkModel(intern)
    const note = yield* callHost(intern, {
      operation,
      timeoutMillis: internStepTimeoutMillis,
      invoke: (_, hosted) => question(hosted)
    })
    yield* settle(
      task,
      ({ onSuccess }) =>
        (now, at) =>
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
        return yield* settle(
          task,
          ({ onFailure }) =>
            (now, at) =>
              onFailure(now, problem, at)
        )
      }
      yield* release(task.id, toTaskKey(task))
      return yield* answer.failure
    }),
    onExhausted: Effect.fnUntraced(function* ({ payload }) {
      const task = decodeTask(payload)
      // Of what cannot be read nobody knows whose it is.
      if (Result.isFailure(task)) return
      yield* settle(
        task.success,
        ({ onFailure, operation }) =>
          (now, at) =>
            onFailure(now, `${operation}: it was begun too often`, at)
      )
    })
  })
})

const decodeTask = Schema.decodeUnknownResult(Schema.toCodecJson(InternTask))

/** Milliseconds until it is seen again whether nobody else calls the host. */
const deferMillis = 2_000

/** Works for as long as the box is open. */
export const layerInternWorker: Layer.Layer<
  never,
  never,
  Transaction | DurableJobs | InternHostService | InternStore | Vaults | WorkspaceStore
> = Layer.effectDiscard(worker)
