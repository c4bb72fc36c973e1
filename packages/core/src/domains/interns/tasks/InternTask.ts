/** The tasks of an intern at its host, as steps in the job queue. */
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import type { JobStep } from "../../../engine/jobs/DurableJobs.ts"
import * as JobKind from "../../../engine/jobs/JobKind.ts"
import type { SettingsShape } from "../../../instance/Settings.ts"
import type { Intern, InternRun } from "../Intern.ts"
import { InternId } from "../InternId.ts"

/**
 * `set_up` finishes the preparation that the create request did not finish. `step` and `undo` are for the step of
 * the host at index `step`. `archive` precedes `destroy`.
 */
export const InternTask = Schema.Struct({
  id: InternId,
  /** The number of the run the task belongs to; during another run the task does nothing. */
  run: Schema.Int,
  kind: Schema.Literals(["set_up", "step", "undo", "suspend", "archive", "destroy"]),
  step: Schema.Int,
  /** How often the task was deferred because another process had claimed the intern. */
  deferrals: Schema.Int
})
export type InternTask = typeof InternTask.Type

/** Attempts before the failure of a task is final. */
export const maxTaskAttempts = 5

/** All tasks share one job kind, so that the worker polls one queue. */
export const makeInternJobKind = ({
  internPrepareTimeoutMillis,
  internStepTimeoutMillis
}: Pick<SettingsShape, "internPrepareTimeoutMillis" | "internStepTimeoutMillis">) =>
  JobKind.make({
    name: "intern.task",
    payload: InternTask,
    maxAttempts: maxTaskAttempts,
    concurrency: 16,
    timeoutMillis: internPrepareTimeoutMillis + internStepTimeoutMillis + storeMarginMillis
  })

/** Milliseconds for reads and writes of the store. */
export const storeMarginMillis = 15_000

/** Unique among the tasks of an intern. */
export const toTaskKey = ({ kind, run, step }: InternTask): string => `${run}-${kind}-${step}`

/** `delayMillis` is the earliest start. */
export const toJobOffer = (task: InternTask, delayMillis = 0): JobStep<InternTask> => ({
  id: task.id,
  key: `${task.id}-${toTaskKey(task)}${task.deferrals === 0 ? "" : `-${task.deferrals}`}`,
  payload: task,
  delay: delayMillis
})

/** The first task of a run. */
export const makeFirstTask = (kind: InternTask["kind"], { id, run }: Intern): InternTask => ({
  id,
  run: run.number,
  kind,
  step: 0,
  deferrals: 0
})

export const makeFirstStep = (intern: Intern): InternTask => makeFirstTask("step", intern)

/** Starts the next run of an intern, with the name, model and instructions of `settings`. */
export const startRun = (
  { run }: Intern,
  kind: InternRun["kind"],
  settings: Pick<Intern, "instructions" | "model" | "name">
): InternRun => ({
  ...Struct.pick(run, ["hasRun", "notes"]),
  ...Struct.pick(settings, ["instructions", "model", "name"]),
  number: run.number + 1,
  kind,
  completedSteps: 0
})

/** The intern, queued for a provision with its current name, model and instructions. */
export const toQueuedIntern = (intern: Intern, at: number): Intern => ({
  ...intern,
  status: "queued",
  progress: null,
  lastFailureMessage: null,
  updatedAt: at,
  run: startRun(intern, "provision", intern)
})
