/** A dialog in which the beginning and the end of the shown time are typed, or picked from a calendar. */
import { useRef, useState } from "preact/hooks"
import { usePreferences } from "../preferences/preferences.ts"
import { setQuery } from "../routing/location.ts"
import { type TimeRange, toRangeQuery } from "../routing/timeRange.ts"
import { Field } from "./Field.tsx"
import { toFieldTime, toInstant } from "./FormField.ts"

export const ExactTime = ({ range }: { readonly range: TimeRange }) => {
  const dialog = useRef<HTMLDialogElement>(null)
  const { isUtc } = usePreferences()
  const [typed, setTyped] = useState({ from: "", to: "" })
  const [from, to] = [toInstant(typed.from).getTime(), toInstant(typed.to).getTime()]
  const isEmpty = from >= to
  return (
    <>
      <button
        type="button"
        aria-pressed={range.name === undefined}
        onClick={() => {
          setTyped({ from: toFieldTime(range.from), to: toFieldTime(range.to) })
          dialog.current?.showModal()
        }}
      >
        From … to
      </button>
      <dialog ref={dialog} aria-label="From … to">
        <form
          onSubmit={(event) => {
            event.preventDefault()
            if (!(from < to)) return
            dialog.current?.close()
            setQuery(toRangeQuery(from, to))
          }}
        >
          <h2>From … to</h2>
          {(["from", "to"] as const).map((name) => (
            <Field key={name} label={name === "from" ? "From" : "To"}>
              <input
                type="datetime-local"
                required
                value={typed[name]}
                aria-describedby="exact-time"
                onInput={({ currentTarget: { value } }) => setTyped({ ...typed, [name]: value })}
              />
            </Field>
          ))}
          <p id="exact-time" class={isEmpty ? "text-bad" : "muted small"} role="status">
            {isEmpty
              ? "The time ends before it begins."
              : isUtc
                ? "Both are in UTC."
                : "Both are in the zone of this browser."}
          </p>
          <div class="choices">
            <button type="button" onClick={() => dialog.current?.close()}>
              Cancel
            </button>
            <button type="submit" class="primary" disabled={!(from < to)}>
              Show
            </button>
          </div>
        </form>
      </dialog>
    </>
  )
}
