/** Does at the host of interns what is to be done, of each one thing at a time, and undoes what was half done. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { Atomically } from "../Atomically.ts"
import { DurableJobs } from "../jobs/DurableJobs.ts"
import { Settings } from "../Settings.ts"
import { Vaults } from "../vaults/Vaults.ts"
import type { WorkspaceStore } from "../workspaces/WorkspaceStore.ts"
import { askingHost } from "./askingHost.ts"
import { changing, unclaimed } from "./changing.ts"
import { checkingModel } from "./checkingModel.ts"
import { begins, doings, isNext, type Outcome } from "./doings.ts"
import type { Intern } from "./Intern.ts"
import { InternHosting } from "./InternHost.ts"
import { InternStore } from "./InternStore.ts"
import { forStores, internKind, InternTask, offered, taskAttempts, taskKey } from "./internTask.ts"
import { begun, settingUp } from "./settingUp.ts"

const work = Effect.gen(function* () {
  const ask = yield* askingHost
  const { atomically } = yield* Atomically
  const { change, claim, release } = yield* changing
  const host = yield* InternHosting
  const jobs = yield* DurableJobs
  const kind = yield* internKind
  const { internPrepareDeadlineMillis, internStepDeadlineMillis } = yield* Settings
  const { prepare, setUp } = yield* settingUp
  const checkModel = yield* checkingModel
  const store = yield* InternStore
  const vaults = yield* Vaults
  const doing = doings(host)
  const claimMillis = internPrepareDeadlineMillis + internStepDeadlineMillis + forStores

  /** The claim goes with it. When it is not the task's turn any more, nothing else happens. */
  const settleOnce = Effect.fnUntraced(function* (
    task: InternTask,
    to: (outcomeOf: ReturnType<typeof doing>) => (intern: Intern, at: number) => Outcome
  ) {
    const outcomeOf = to(doing(task))
    const leaving = task.does === "destroy" ? yield* store.find(task.id) : undefined
    if (leaving !== undefined && isNext(leaving, task) && outcomeOf(leaving, 0).next === "remove") {
      // Before its row is written to, as when a workspace goes: else the two could wait for each other.
      const { account, vault, workspace } = leaving
      yield* vaults.close({ account, workspace }, vault)
    }
    let next: Outcome["next"]
    const after = yield* change(task.id, (now, at) => {
      const isMine = now.claim?.by === taskKey(task)
      if (!isNext(now, task)) return isMine ? unclaimed(now) : undefined
      const outcome = outcomeOf(isMine ? unclaimed(now) : now, at)
      next = outcome.next
      return outcome.after
    })
    if (after === undefined || next === undefined) return
    const { id, run, turn } = after
    if (next === "remove") return void (yield* store.remove(turn, id))
    const { delayMillis, ...follows } = next
    if (run.isOrphan === true && delayMillis !== undefined) {
      yield* Effect.logError(
        `the host of interns ${host.slug} cannot take down ${id}, whose workspace is gone; it is asked again later`,
        after.lastFailureMessage
      )
    }
    yield* jobs.offer(kind, offered({ id, run: run.number, put_off: 0, ...follows }, delayMillis))
  })
  const settle = (...settled: Parameters<typeof settleOnce>) => atomically(settleOnce(...settled))

  /** The intern, whose host nobody else calls meanwhile; undefined when it is not the task's turn, now or any more. */
  const taken = Effect.fnUntraced(function* (task: InternTask) {
    const claimed = yield* claim(task.id, {
      by: taskKey(task),
      millis: claimMillis,
      isMeant: (intern) => isNext(intern, task),
      to: (intern, at) => (task.does === "step" ? begins(intern, host, at) : intern)
    })
    if (claimed !== undefined) return claimed
    const now = yield* store.find(task.id)
    if (now !== undefined && isNext(now, task)) {
      yield* jobs.offer(kind, offered({ ...task, put_off: task.put_off + 1 }, putOffMillis))
    } else {
      // Of a process that ended in the middle of it, before something else was asked for.
      yield* release(task.id, taskKey(task))
    }
    return undefined
  })

  const asked = Effect.fnUntraced(function* (task: InternTask, intern: Intern) {
    const by = taskKey(task)
    if (task.does === "set_up") return void (yield* setUp(intern, by))
    const { ask: question, what } = doing(task)
    if (task.does === "step" && !intern.creation.isReady) yield* prepare(intern)
    if (task.does === "step") yield* checkModel(intern)
    const note = yield* ask(intern, {
      what,
      deadlineMillis: internStepDeadlineMillis,
      ask: (_, hosted) => question(hosted)
    })
    yield* settle(
      task,
      ({ done }) =>
        (now, at) =>
          done(task.does === "step" ? begun(now, at) : now, note ?? null, at)
    )
  })

  yield* jobs.work(kind, {
    run: Effect.fnUntraced(function* (task, { attempt }) {
      const intern = yield* taken(task)
      if (intern === undefined) return
      const answer = yield* Effect.result(asked(task, intern))
      if (Result.isSuccess(answer)) return
      const { isFinal = false, problem } = answer.failure
      if (isFinal || attempt >= taskAttempts) {
        return yield* settle(
          task,
          ({ failed }) =>
            (now, at) =>
              failed(now, problem, at)
        )
      }
      yield* release(task.id, taskKey(task))
      return yield* answer.failure
    }),
    onExhausted: Effect.fnUntraced(function* ({ payload }) {
      const task = decodeTask(payload)
      // Of what cannot be read nobody knows whose it is.
      if (Result.isFailure(task)) return
      yield* settle(
        task.success,
        ({ failed, what }) =>
          (now, at) =>
            failed(now, `${what}: it was begun too often`, at)
      )
    })
  })
})

const decodeTask = Schema.decodeUnknownResult(Schema.toCodecJson(InternTask))

/** Milliseconds until it is seen again whether nobody else calls the host. */
const putOffMillis = 2_000

/** Works for as long as the box is open. */
export const layerInternWorker: Layer.Layer<
  never,
  never,
  Atomically | DurableJobs | InternHosting | InternStore | Vaults | WorkspaceStore
> = Layer.effectDiscard(work)
