/** An action that asks for confirmation, shows its progress, and says what came of it. */
import type { ComponentChildren } from "preact"
import { useRef, useState } from "preact/hooks"
import { ActionResult, type Outcome, useAction } from "./useAction.tsx"

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
  /** What happens, so that one can decide; it is made when the dialog opens. */
  readonly children: ComponentChildren
  /** Acts, and says what came of it. */
  readonly run: () => Promise<Outcome | string>
  /** Called when the dialog closes after the action. */
  readonly onDone: () => void
}) => {
  const dialog = useRef<HTMLDialogElement>(null)
  const [isOpen, setIsOpen] = useState(false)
  const action = useAction()
  const { step } = action.progress
  const isOver = step === "done" || step === "failed"
  return (
    <>
      <button
        type="button"
        class={isDestructive ? "danger" : ""}
        aria-label={`${label}: ${about}`}
        onClick={() => {
          action.reset()
          setIsOpen(true)
          dialog.current?.showModal()
        }}
      >
        {label}
      </button>
      <dialog
        ref={dialog}
        aria-label={label}
        onCancel={(event) => {
          if (step === "running") event.preventDefault()
        }}
        onClose={() => {
          setIsOpen(false)
          if (isOver) onDone()
        }}
      >
        <h2>{label}?</h2>
        <p class="about">
          <bdi>{about}</bdi>
        </p>
        {isOpen && step === "asking" && <div class="effect">{children}</div>}
        <ActionResult action={action} />
        <div class="choices">
          <button
            type="button"
            disabled={step === "running"}
            onClick={() => dialog.current?.close()}
          >
            {isOver ? "Close" : "Keep as it is"}
          </button>
          {!isOver && (
            <button
              type="button"
              class={isDestructive ? "primary danger" : "primary"}
              disabled={step === "running"}
              onClick={() => void action.start(run)}
            >
              {`Yes, ${label.toLowerCase()}`}
            </button>
          )}
        </div>
      </dialog>
    </>
  )
}
