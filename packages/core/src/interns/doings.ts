/** What each task asks of the host of interns, and what becomes of the intern when that is done, or has failed for good. */
import * as Effect from "effect/Effect"
import { archiveFailed } from "./archiveFailed.ts"
import type { Intern, InternProgress } from "./Intern.ts"
import type { HostedIntern, InternHost, InternHostFailure } from "./InternHost.ts"
import { factsOf } from "./factsOf.ts"
import type { InternTask } from "./internTask.ts"
import { isLeaving, lifecycle } from "./lifecycle.ts"

/** What an intern becomes. */
export interface Outcome {
  readonly after: Intern
  /** What is to be done then, this many milliseconds later; `remove`: the intern goes; undefined: nothing. */
  readonly next: Following | "remove" | undefined
}

interface Following extends Pick<InternTask, "does" | "step"> {
  readonly delayMillis?: number
}

export interface Doing {
  /** As it is told of in failures. */
  readonly what: string
  readonly ask: (hosted: HostedIntern) => Effect.Effect<string | void, InternHostFailure>
  /** `note`: what the host left. */
  readonly done: (intern: Intern, note: string | null, at: number) => Outcome
  readonly failed: (intern: Intern, problem: string, at: number) => Outcome
}

/** Whether it is the task's turn: not when its run is over, when it is done, or when others come first. */
export const isNext = (intern: Intern, { does, run: number, step }: InternTask): boolean => {
  const { creation, run, status } = intern
  if (does === "set_up") return !creation.isReady && !isLeaving(intern)
  if (run.number !== number) return false
  const isProvisioned = status === "queued" || status === "provisioning"
  switch (does) {
    case "step":
      return isProvisioned && run.failure === undefined && run.done === step
    case "undo":
      return isProvisioned && run.failure !== undefined && run.done === step + 1
    case "suspend":
      return status === "stopped" && run.done === 0
    case "archive":
      return status === "destroying" && run.archive !== "skipped" && run.done === 0
    case "destroy":
      return status === "destroying" && (run.archive === "skipped" || run.done === 1)
  }
}

/** The worker has taken the first step. */
export const begins = (intern: Intern, host: InternHost, at: number): Intern => {
  const status = lifecycle(intern.status, "begin")
  return status === undefined
    ? intern
    : { ...intern, status, progress: progressAt(host, 0), updatedAt: at }
}

export const doings = (host: InternHost) => {
  const { steps } = host

  const succeeded = (intern: Intern, at: number): Outcome => ({
    after: {
      ...intern,
      status: lifecycle(intern.status, "succeed") ?? intern.status,
      progress: null,
      hostname: host.hostnameOf?.(factsOf(intern)) ?? null,
      updatedAt: at,
      run: { ...intern.run, hasRun: true }
    },
    next: undefined
  })

  /** Undoes the latest step below `begun` that can be undone; when there is none, the intern has failed. */
  const undoing = (intern: Intern, begun: number, at: number): Outcome => {
    const step = steps.slice(0, begun).findLastIndex(({ undo }) => undo !== undefined)
    const after = { ...intern, run: { ...intern.run, done: step + 1 } }
    return step >= 0
      ? { after, next: { does: "undo", step } }
      : failing(after, intern.run.failure ?? null, at)
  }

  return ({ does, step }: Pick<InternTask, "does" | "step">): Doing => {
    switch (does) {
      case "set_up":
        return {
          what: "preparing it",
          ask: (hosted) => host.prepare?.(hosted) ?? Effect.void,
          done: (after) => ({ after, next: undefined }),
          failed: (intern, problem, at) => failing(intern, intern.creation.problem ?? problem, at)
        }
      case "step":
        return {
          what: steps[step]?.label ?? "a step",
          // There were more of them when it began.
          ask: (hosted) => steps[step]?.run(hosted) ?? Effect.void,
          done: (intern, note, at) => {
            const { run } = intern
            const notes = Array.from({ length: Math.max(step + 1, run.notes.length) }, (_, index) =>
              index === step ? note : (run.notes[index] ?? null)
            )
            const after = { ...intern, run: { ...run, notes, done: step + 1 } }
            if (step + 1 >= steps.length) return succeeded(after, at)
            return {
              after: { ...after, progress: progressAt(host, step + 1), updatedAt: at },
              next: { does, step: step + 1 }
            }
          },
          failed: (intern, problem, at) =>
            undoing({ ...intern, run: { ...intern.run, failure: problem } }, step + 1, at)
        }
      case "undo":
        return {
          what: `undoing: ${steps[step]?.label ?? "a step"}`,
          ask: (hosted) => steps[step]?.undo?.(hosted) ?? Effect.void,
          done: (intern, _, at) => undoing(intern, step, at),
          failed: (intern, problem, at) =>
            undoing(
              {
                ...intern,
                run: {
                  ...intern.run,
                  failure: [intern.run.failure, problem].join("; ").slice(0, mostOfFailures)
                }
              },
              step,
              at
            )
        }
      case "suspend":
        return {
          what: "suspending it",
          ask: host.suspend,
          done: (intern) => ({
            after: { ...intern, run: { ...intern.run, done: 1 } },
            next: undefined
          }),
          failed: (intern, problem, at) => ({
            after: {
              ...intern,
              run: { ...intern.run, done: 1 },
              lastFailureMessage: problem,
              updatedAt: at
            },
            next: undefined
          })
        }
      case "archive":
        return {
          what: "archiving its workspace",
          ask: (hosted) => host.archive?.(hosted) ?? Effect.void,
          done: archived,
          failed: (intern, problem, at) =>
            intern.run.archive === "required"
              ? destroyFailed(intern, archiveFailed(problem), at)
              : archived(intern)
        }
      case "destroy":
        return {
          what: "destroying it",
          ask: host.destroy,
          done: (after) => ({ after, next: "remove" }),
          failed: destroyFailed
        }
    }
  }
}

const progressAt = ({ steps }: InternHost, step: number): InternProgress => ({
  label: steps[step]?.label ?? "",
  step: step + 1,
  steps: steps.length
})

/** Characters, where several things have failed. */
const mostOfFailures = 2_000

/** It does not run, and nothing follows. */
const failing = (intern: Intern, lastFailureMessage: string | null, at: number): Outcome => ({
  after: {
    ...intern,
    status: lifecycle(intern.status, "fail") ?? intern.status,
    progress: null,
    lastFailureMessage,
    updatedAt: at
  },
  next: undefined
})

const destroyFailed = (intern: Intern, message: string, at: number): Outcome => {
  const failed = { ...intern, lastFailureMessage: message, updatedAt: at }
  const { run, status } = intern
  if (run.isOrphan === true) {
    // In a run of its own, for a task is offered once.
    return {
      after: { ...failed, run: { ...run, number: run.number + 1 } },
      next: { does: "destroy", step: 0, delayMillis: orphanAgainMillis }
    }
  }
  return {
    after: { ...failed, status: lifecycle(status, "destroyFail") ?? status },
    next: undefined
  }
}

/** Until a host is asked again to take down what nobody else will ask for. */
const orphanAgainMillis = 3_600_000

const archived = (intern: Intern): Outcome => ({
  after: { ...intern, run: { ...intern.run, done: 1 } },
  next: { does: "destroy", step: 0 }
})
