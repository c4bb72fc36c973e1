/** What each task calls at the host, and the state of the intern after its success or its final failure. */
import * as Effect from "effect/Effect"
import type { Intern, InternProgress } from "../Intern.ts"
import type { HostedIntern, InternHost, InternHostFailure } from "../host/InternHost.ts"
import { toHostView } from "../host/InProcessHost.ts"
import type { InternTask } from "./InternTask.ts"
import { findNextStatus, isDeleting } from "../InternStatus.ts"

/** The intern after a task. */
export interface TaskOutcome {
  readonly after: Intern
  /** The next task; `remove` deletes the intern. */
  readonly next: NextTask | "remove" | undefined
}

interface NextTask extends Pick<InternTask, "kind" | "step"> {
  readonly delayMillis?: number
}

export interface InternTaskHandler {
  /** Names the call in failures. */
  readonly operation: string
  readonly invoke: (hosted: HostedIntern) => Effect.Effect<string | void, InternHostFailure>
  /** `note` is the result of the call. */
  readonly onSuccess: (intern: Intern, note: string | null, at: number) => TaskOutcome
  readonly onFailure: (intern: Intern, problem: string, at: number) => TaskOutcome
}

/** False when the run of the task is over, the task is done, or other tasks come first. */
export const isTaskDue = (intern: Intern, { kind, run: number, step }: InternTask): boolean => {
  const { creation, run, status } = intern
  if (kind === "set_up") return !creation.isReady && !isDeleting(intern)
  if (run.number !== number) return false
  const isProvisioned = status === "queued" || status === "provisioning"
  switch (kind) {
    case "step":
      return isProvisioned && run.failure === undefined && run.completedSteps === step
    case "undo":
      return isProvisioned && run.failure !== undefined && run.completedSteps === step + 1
    case "suspend":
      return status === "stopped" && run.completedSteps === 0
    case "archive":
      return status === "destroying" && run.archive !== "skipped" && run.completedSteps === 0
    case "destroy":
      return status === "destroying" && (run.archive === "skipped" || run.completedSteps === 1)
  }
}

/** The intern once the worker has started its first step. */
export const startProvisioning = (intern: Intern, host: InternHost, at: number): Intern => {
  const status = findNextStatus(intern.status, "begin")
  return status === undefined
    ? intern
    : { ...intern, status, progress: toProgress(host, 0), updatedAt: at }
}

export const makeInternTaskHandler = (host: InternHost) => {
  const { steps } = host

  const toRunning = (intern: Intern, at: number): TaskOutcome => ({
    after: {
      ...intern,
      status: findNextStatus(intern.status, "succeed") ?? intern.status,
      progress: null,
      hostname: host.toHostname?.(toHostView(intern)) ?? null,
      updatedAt: at,
      run: { ...intern.run, hasRun: true }
    },
    next: undefined
  })

  /** Undoes the latest of the first `started` steps that can be undone; without one, the intern has failed. */
  const undoNextStep = (intern: Intern, started: number, at: number): TaskOutcome => {
    const step = steps.slice(0, started).findLastIndex(({ undo }) => undo !== undefined)
    const after: Intern = { ...intern, run: { ...intern.run, completedSteps: step + 1 } }
    return step >= 0
      ? { after, next: { kind: "undo", step } }
      : toFailed(after, intern.run.failure ?? null, at)
  }

  return ({ kind, step }: Pick<InternTask, "kind" | "step">): InternTaskHandler => {
    switch (kind) {
      case "set_up":
        return {
          operation: "preparing it",
          invoke: (hosted) => host.prepare?.(hosted) ?? Effect.void,
          onSuccess: (after) => ({ after, next: undefined }),
          onFailure: (intern, problem, at) =>
            toFailed(intern, intern.creation.problem ?? problem, at)
        }
      case "step":
        return {
          operation: steps[step]?.label ?? "a step",
          // The host may have fewer steps than when the run started.
          invoke: (hosted) => steps[step]?.run(hosted) ?? Effect.void,
          onSuccess: (intern, note, at) => {
            const { run } = intern
            const notes = Array.from({ length: Math.max(step + 1, run.notes.length) }, (_, index) =>
              index === step ? note : (run.notes[index] ?? null)
            )
            const after: Intern = { ...intern, run: { ...run, notes, completedSteps: step + 1 } }
            if (step + 1 >= steps.length) return toRunning(after, at)
            return {
              after: { ...after, progress: toProgress(host, step + 1), updatedAt: at },
              next: { kind, step: step + 1 }
            }
          },
          onFailure: (intern, problem, at) =>
            undoNextStep({ ...intern, run: { ...intern.run, failure: problem } }, step + 1, at)
        }
      case "undo":
        return {
          operation: `undoing: ${steps[step]?.label ?? "a step"}`,
          invoke: (hosted) => steps[step]?.undo?.(hosted) ?? Effect.void,
          onSuccess: (intern, _, at) => undoNextStep(intern, step, at),
          onFailure: (intern, problem, at) =>
            undoNextStep(
              {
                ...intern,
                run: {
                  ...intern.run,
                  failure: [intern.run.failure, problem].join("; ").slice(0, maxFailureLength)
                }
              },
              step,
              at
            )
        }
      case "suspend":
        return {
          operation: "suspending it",
          invoke: host.suspend,
          onSuccess: (intern) => ({
            after: { ...intern, run: { ...intern.run, completedSteps: 1 } },
            next: undefined
          }),
          onFailure: (intern, problem, at) => ({
            after: {
              ...intern,
              run: { ...intern.run, completedSteps: 1 },
              lastFailureMessage: problem,
              updatedAt: at
            },
            next: undefined
          })
        }
      case "archive":
        return {
          operation: "archiving its workspace",
          invoke: (hosted) => host.archive?.(hosted) ?? Effect.void,
          onSuccess: toArchived,
          onFailure: (intern, problem, at) =>
            intern.run.archive === "required"
              ? toDestroyFailed(intern, toArchiveFailureMessage(problem), at)
              : toArchived(intern)
        }
      case "destroy":
        return {
          operation: "destroying it",
          invoke: host.destroy,
          onSuccess: (after) => ({ after, next: "remove" }),
          onFailure: toDestroyFailed
        }
    }
  }
}

const toProgress = ({ steps }: InternHost, step: number): InternProgress => ({
  label: steps[step]?.label ?? "",
  step: step + 1,
  steps: steps.length
})

/** Characters of several failure messages together. */
const maxFailureLength = 2_000

const toFailed = (intern: Intern, lastFailureMessage: string | null, at: number): TaskOutcome => ({
  after: {
    ...intern,
    status: findNextStatus(intern.status, "fail") ?? intern.status,
    progress: null,
    lastFailureMessage,
    updatedAt: at
  },
  next: undefined
})

const toDestroyFailed = (intern: Intern, message: string, at: number): TaskOutcome => {
  const failed: Intern = { ...intern, lastFailureMessage: message, updatedAt: at }
  const { run, status } = intern
  if (run.isOrphan === true) {
    // A new run, because a task is offered once per run.
    return {
      after: { ...failed, run: { ...run, number: run.number + 1 } },
      next: { kind: "destroy", step: 0, delayMillis: orphanRetryMillis }
    }
  }
  return {
    after: { ...failed, status: findNextStatus(status, "destroyFail") ?? status },
    next: undefined
  }
}

/** Milliseconds until an orphan, whose deletion no caller can repeat, is destroyed again. */
const orphanRetryMillis = 3_600_000

const toArchived = (intern: Intern): TaskOutcome => ({
  after: { ...intern, run: { ...intern.run, completedSteps: 1 } },
  next: { kind: "destroy", step: 0 }
})

const archiveFailureCode = "workspace_archive_failed"

const toArchiveFailureMessage = (problem: string): string => `${archiveFailureCode}: ${problem}`

export const hasArchiveFailure = ({ lastFailureMessage, status }: Intern): boolean =>
  status === "destroy_failed" && lastFailureMessage?.startsWith(archiveFailureCode) === true
