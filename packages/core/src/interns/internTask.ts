/** What is to be done about an intern at its host: the steps in the queue of jobs. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Offered } from "../jobs/DurableJobs.ts"
import * as JobKind from "../jobs/JobKind.ts"
import { Settings } from "../Settings.ts"
import type { Intern } from "./Intern.ts"
import { InternId } from "./InternId.ts"

/**
 * `set_up`: what the request that made it did not finish. `step` and `undo`: the step of the host with this
 * number, from 0. `archive` comes before `destroy`.
 */
export const InternTask = Schema.Struct({
  id: InternId,
  /** The run it belongs to: of another one it does nothing. */
  run: Schema.Int,
  does: Schema.Literals(["set_up", "step", "undo", "suspend", "archive", "destroy"]),
  step: Schema.Int,
  /** How often it was put off, because somebody else was calling the host. */
  put_off: Schema.Int
})
export type InternTask = typeof InternTask.Type

/** How often a task is tried before the host is taken to have failed for good. */
export const taskAttempts = 5

/** One kind for all, so that one queue is looked at. */
export const internKind = Effect.map(
  Settings,
  ({ internPrepareDeadlineMillis, internStepDeadlineMillis }) =>
    JobKind.make({
      name: "intern.task",
      payload: InternTask,
      attempts: taskAttempts,
      concurrency: 16,
      deadlineMillis: internPrepareDeadlineMillis + internStepDeadlineMillis + forStores
    })
)

/** Milliseconds to read and write what is kept. */
export const forStores = 15_000

/** Names it among all of its intern. */
export const taskKey = ({ does, run, step }: InternTask): string => `${run}-${does}-${step}`

/** `delayMillis`: not before. */
export const offered = (task: InternTask, delayMillis = 0): Offered<InternTask> => ({
  id: task.id,
  key: `${task.id}-${taskKey(task)}${task.put_off === 0 ? "" : `-${task.put_off}`}`,
  payload: task,
  delay: delayMillis
})

/** The first of a run. */
export const firstTask = (does: InternTask["does"], { id, run }: Intern): InternTask => ({
  id,
  run: run.number,
  does,
  step: 0,
  put_off: 0
})

export const firstStep = (intern: Intern): InternTask => firstTask("step", intern)
