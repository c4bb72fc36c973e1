/** Chooses the columns of requests, which this browser keeps. */
import { setPreferences, usePreferences } from "../../preferences/preferences.ts"
import { pickColumns, requestColumns } from "./requestColumns.tsx"

const change = (columns: ReadonlyArray<string>): void => setPreferences({ requestColumns: columns })

export const ColumnChooser = () => {
  const { requestColumns: chosen } = usePreferences()
  const shown = pickColumns(chosen).map(({ title }) => title)
  return (
    <details class="columns">
      <summary>Columns</summary>
      <div class="controls" role="group" aria-label="Columns">
        {requestColumns.map(({ title }) => (
          <label key={title} class="check">
            <input
              type="checkbox"
              checked={shown.includes(title)}
              onChange={({ currentTarget: { checked } }) =>
                change(checked ? [...shown, title] : shown.filter((each) => each !== title))
              }
            />
            {title}
          </label>
        ))}
        <button
          type="button"
          onClick={() => change(pickColumns(undefined).map(({ title }) => title))}
        >
          Usual columns
        </button>
      </div>
    </details>
  )
}
