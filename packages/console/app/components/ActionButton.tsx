/** An action that asks for confirmation, shows its progress, and says what came of it. */
import type { ComponentChildren } from "preact"
import { useRef, useState } from "preact/hooks"
import { toRequestError } from "../api/request.ts"

type Progress =
  | { readonly step: "asking" }
  | { readonly step: "running" }
  | { readonly step: "done"; readonly result: string }
  | { readonly step: "failed"; readonly problem: string }

export const ActionButton = ({
  about,
  children,
  isDestructive = false,
  label,
  onDone,
  run
}: {
  /** What the button says, such as "Cancel job". */
  readonly label: string
  /** What it acts on, for readers of the screen and for the dialog. */
  readonly about: string
  /** Whether it takes something away; it looks like it. */
  readonly isDestructive?: boolean
  /** What happens, so that one can decide. */
  readonly children: ComponentChildren
  /** Acts, and says what came of it. */
  readonly run: () => Promise<string>
  /** Called when the dialog closes after the action. */
  readonly onDone: () => void
}) => {
  const dialog = useRef<HTMLDialogElement>(null)
  const [progress, setProgress] = useState<Progress>({ step: "asking" })
  const start = async () => {
    setProgress({ step: "running" })
    try {
      setProgress({ step: "done", result: await run() })
    } catch (problem) {
      setProgress({ step: "failed", problem: toRequestError(problem).message })
    }
  }
  const isOver = progress.step === "done" || progress.step === "failed"
  return (
    <>
      <button
        type="button"
        class={isDestructive ? "danger" : ""}
        aria-label={`${label}: ${about}`}
        onClick={() => {
          setProgress({ step: "asking" })
          dialog.current?.showModal()
        }}
      >
        {label}
      </button>
      <dialog
        ref={dialog}
        aria-label={label}
        onCancel={(event) => {
          if (progress.step === "running") event.preventDefault()
        }}
        onClose={() => {
          if (isOver) onDone()
        }}
      >
        <h2>{label}?</h2>
        <p class="about">
          <bdi>{about}</bdi>
        </p>
        {progress.step === "asking" && <p>{children}</p>}
        <div role="status">
          {progress.step === "running" && <p>Working…</p>}
          {progress.step === "done" && <p class="text-good">{progress.result}</p>}
        </div>
        {progress.step === "failed" && (
          <p class="text-bad" role="alert">
            Not done: {progress.problem}
          </p>
        )}
        <div class="choices">
          <button
            type="button"
            disabled={progress.step === "running"}
            onClick={() => dialog.current?.close()}
          >
            {isOver ? "Close" : "Keep as it is"}
          </button>
          {!isOver && (
            <button
              type="button"
              class={isDestructive ? "primary danger" : "primary"}
              disabled={progress.step === "running"}
              onClick={() => void start()}
            >
              {`Yes, ${label.toLowerCase()}`}
            </button>
          )}
        </div>
      </dialog>
    </>
  )
}
