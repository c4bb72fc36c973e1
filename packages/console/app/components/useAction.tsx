/** The progress of an action in a dialog: what came of it, and how to take it back. */
import type { ComponentChildren } from "preact"
import { useState } from "preact/hooks"
import { toRequestError } from "../api/request.ts"

/** What came of an action. */
export interface Outcome {
  readonly text: string
  /** Whether it is not what one hopes for; it looks like it. */
  readonly isBad?: boolean
  /** What else to show, such as a secret. */
  readonly more?: ComponentChildren
  /** Takes the action back, and says what came of that; absent where that makes no sense. */
  readonly undo?: () => Promise<string>
}

type Progress =
  | { readonly step: "asking" }
  | { readonly step: "running" }
  | { readonly step: "done"; readonly outcome: Outcome }
  | { readonly step: "failed"; readonly problem: string }

interface Action {
  readonly progress: Progress
  readonly reset: () => void
  readonly start: (run: () => Promise<Outcome | string>) => Promise<void>
}

export const useAction = (): Action => {
  const [progress, setProgress] = useState<Progress>({ step: "asking" })
  return {
    progress,
    reset: () => setProgress({ step: "asking" }),
    start: async (run) => {
      setProgress({ step: "running" })
      try {
        const outcome = await run()
        setProgress({
          step: "done",
          outcome: typeof outcome === "string" ? { text: outcome } : outcome
        })
      } catch (problem) {
        setProgress({ step: "failed", problem: toRequestError(problem).message })
      }
    }
  }
}

export const ActionResult = ({ action: { progress, start } }: { readonly action: Action }) => {
  const undo = progress.step === "done" ? progress.outcome.undo : undefined
  return (
    <>
      <div role="status">
        {progress.step === "running" && <p>Working…</p>}
        {progress.step === "done" && (
          <p class={progress.outcome.isBad === true ? "text-bad" : "text-good"}>
            {progress.outcome.text}
          </p>
        )}
      </div>
      {progress.step === "done" && progress.outcome.more}
      {undo !== undefined && (
        <p>
          <button type="button" onClick={() => void start(undo)}>
            Undo
          </button>
        </p>
      )}
      {progress.step === "failed" && (
        <p class="text-bad" role="alert">
          Not done: {progress.problem}
        </p>
      )}
    </>
  )
}
