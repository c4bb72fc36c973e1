/** A form in a dialog: it shows what it will do before it does it, and how to take that back. */
import type { ComponentChildren, TargetedInputEvent } from "preact"
import { useId, useRef, useState } from "preact/hooks"
import { type FormField, listFieldChanges, type Values } from "./FormField.ts"
import { ActionResult, type Outcome, useAction } from "./useAction.tsx"

export const FormButton = ({
  about,
  explain,
  fields,
  initial = {},
  isNew = false,
  label,
  onDone,
  run,
  submit = label
}: {
  /** What the button says, such as "Edit". */
  readonly label: string
  /** What the button in the dialog says. */
  readonly submit?: string
  /** What it changes, for readers of the screen and for the dialog. */
  readonly about: string
  readonly fields: ReadonlyArray<FormField>
  readonly initial?: Values
  /** Whether it makes something, also when no field is changed. */
  readonly isNew?: boolean
  /** What follows from the values, in sentences. */
  readonly explain?: (values: Values) => ComponentChildren
  readonly run: (values: Values) => Promise<Outcome | string>
  /** Called when the dialog closes after the action. */
  readonly onDone: () => void
}) => {
  const dialog = useRef<HTMLDialogElement>(null)
  const action = useAction()
  const [values, setValues] = useState<Values>(initial)
  const { step } = action.progress
  const changes = listFieldChanges(fields, isNew ? {} : initial, values)
  const isDone = step === "done"
  return (
    <>
      <button
        type="button"
        class={about === "" ? "primary" : ""}
        aria-label={about === "" ? label : `${label}: ${about}`}
        onClick={() => {
          action.reset()
          setValues(initial)
          dialog.current?.showModal()
        }}
      >
        {label}
      </button>
      <dialog
        ref={dialog}
        class="form"
        aria-label={submit}
        onCancel={(event) => {
          if (step === "running") event.preventDefault()
        }}
        onClose={() => {
          if (isDone || step === "failed") onDone()
        }}
      >
        <form
          onSubmit={(event) => {
            event.preventDefault()
            void action.start(() => run(values))
          }}
        >
          <h2>{submit}</h2>
          {about !== "" && (
            <p class="about">
              <bdi>{about}</bdi>
            </p>
          )}
          {!isDone && (
            <>
              {fields.map((field) => (
                <Control
                  key={field.name}
                  field={field}
                  value={values[field.name] ?? ""}
                  onChange={(value) => setValues({ ...values, [field.name]: value })}
                />
              ))}
              <div class="preview">
                <h3>What it will do</h3>
                {changes.length === 0 ? (
                  <p class="muted">{isNew ? "Fill in the fields." : "Nothing is changed yet."}</p>
                ) : (
                  <ul>
                    {changes.map(({ after, before, label }) => (
                      <li key={label}>
                        {label}: {!isNew && <del>{before}</del>}
                        {!isNew && " → "}
                        <ins>{after}</ins>
                      </li>
                    ))}
                  </ul>
                )}
                {changes.length > 0 && explain !== undefined && <p>{explain(values)}</p>}
              </div>
            </>
          )}
          <ActionResult action={action} />
          <div class="choices">
            <button
              type="button"
              disabled={step === "running"}
              onClick={() => dialog.current?.close()}
            >
              {isDone ? "Close" : "Cancel"}
            </button>
            {!isDone && (
              <button
                type="submit"
                class="primary"
                disabled={step === "running" || (changes.length === 0 && !isNew)}
              >
                {submit}
              </button>
            )}
          </div>
        </form>
      </dialog>
    </>
  )
}

const Control = ({
  field: { hint, isRequired = false, kind, label, options = [], suggestions = [] },
  onChange,
  value
}: {
  readonly field: FormField
  readonly value: string
  readonly onChange: (value: string) => void
}) => {
  const list = useId()
  const onInput = ({ currentTarget }: TargetedInputEvent<HTMLInputElement>) =>
    onChange(currentTarget.value)
  if (kind === "checkbox") {
    return (
      <label class="check">
        <input
          type="checkbox"
          checked={value !== ""}
          onChange={({ currentTarget }) => onChange(currentTarget.checked ? "true" : "")}
        />
        {label}
      </label>
    )
  }
  return (
    <label class="field wide">
      <span>
        {label}
        {hint !== undefined && <span class="muted small"> ({hint})</span>}
      </span>
      {kind === "select" ? (
        <select value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
          {options.map(([each, name]) => (
            <option key={each} value={each}>
              {name}
            </option>
          ))}
        </select>
      ) : (
        <Input kind={kind} required={isRequired} value={value} list={list} onInput={onInput} />
      )}
      {suggestions.length > 0 && (
        <datalist id={list}>
          {suggestions.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
      )}
    </label>
  )
}

const Input = ({
  kind,
  list,
  ...props
}: {
  readonly kind: FormField["kind"]
  readonly list: string
  readonly required: boolean
  readonly value: string
  readonly onInput: (event: TargetedInputEvent<HTMLInputElement>) => void
}) => {
  switch (kind) {
    case "date":
      return <input type="datetime-local" {...props} />
    case "number":
      return <input type="number" step="any" min={0} {...props} />
    case "secret":
      return <input type="password" autocomplete="new-password" {...props} />
    case "checkbox":
    case "list":
    case "select":
    case "text":
      return <input autocomplete="off" list={list} {...props} />
  }
}
