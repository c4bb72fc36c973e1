/** What is to be done about an intern at its host: the steps in the queue of jobs. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { JobStep } from "../../jobs/DurableJobs.ts"
import * as JobKind from "../../jobs/JobKind.ts"
import { Settings } from "../../Settings.ts"
import type { Intern } from "../Intern.ts"
import { InternId } from "../InternId.ts"

/**
 * `set_up`: what the request that made it did not finish. `step` and `undo`: the step of the host with this
 * number, from 0. `archive` comes before `destroy`.
 */
export const InternTask = Schema.Struct({
  id: InternId,
  /** The run it belongs to: of another one it does nothing. */
  run: Schema.Int,
  kind: Schema.Literals(["set_up", "step", "undo", "suspend", "archive", "destroy"]),
  step: Schema.Int,
  /** How often it was put off, because somebody else was calling the host. */
  deferrals: Schema.Int
})
export type InternTask = typeof InternTask.Type

/** How often a task is tried before the host is taken to have failed for good. */
export const maxTaskAttempts = 5

/** One kind for all, so that one queue is looked at. */
export const makeInternJobKind = Effect.map(
  Settings,
  ({ internPrepareTimeoutMillis, internStepTimeoutMillis }) =>
    JobKind.make({
      name: "intern.task",
      payload: InternTask,
      maxAttempts: maxTaskAttempts,
      concurrency: 16,
      timeoutMillis: internPrepareTimeoutMillis + internStepTimeoutMillis + storeMarginMillis
    })
)

/** Milliseconds to read and write what is kept. */
export const storeMarginMillis = 15_000

/** Names it among all of its intern. */
export const toTaskKey = ({ kind, run, step }: InternTask): string => `${run}-${kind}-${step}`

/** `delayMillis`: not before. */
export const toJobOffer = (task: InternTask, delayMillis = 0): JobStep<InternTask> => ({
  id: task.id,
  key: `${task.id}-${toTaskKey(task)}${task.deferrals === 0 ? "" : `-${task.deferrals}`}`,
  payload: task,
  delay: delayMillis
})

/** The first of a run. */
export const makeFirstTask = (kind: InternTask["kind"], { id, run }: Intern): InternTask => ({
  id,
  run: run.number,
  kind,
  step: 0,
  deferrals: 0
})

export const makeFirstStep = (intern: Intern): InternTask => makeFirstTask("step", intern)
