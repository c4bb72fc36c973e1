/** Chooses one of the states of a list, in the address. */
import type { ComponentChildren } from "preact"
import { setQuery } from "../routing/location.ts"

export const StateFilter = <State extends string>({
  counts,
  label,
  name,
  states,
  all = "all",
  toLabel = (state) => state.replaceAll("_", " "),
  value
}: {
  /** What a screen reader says of the group. */
  readonly label: string
  /** The parameter in the address. */
  readonly name: string
  readonly states: ReadonlyArray<State>
  /** The chosen one; undefined: all. */
  readonly value: State | undefined
  /** What is shown when none is chosen. */
  readonly all?: string
  readonly toLabel?: (state: State) => string
  readonly counts?: (state: State) => ComponentChildren
}) => (
  <div class="controls" role="group" aria-label={label}>
    <button
      type="button"
      aria-pressed={value === undefined}
      onClick={() => setQuery({ [name]: undefined })}
    >
      {all}
    </button>
    {states.map((state) => (
      <button
        key={state}
        type="button"
        aria-pressed={value === state}
        onClick={() => setQuery({ [name]: state })}
      >
        {toLabel(state)} {counts?.(state)}
      </button>
    ))}
  </div>
)

export const findState = <State extends string>(
  states: ReadonlyArray<State>,
  value: string | undefined
): State | undefined => states.find((state) => state === value)
