/** The filters of requests, each a field; a value applies when its field is left. */
import { Field } from "../../components/Field.tsx"
import { setQuery } from "../../routing/location.ts"
import { FindById } from "./FindById.tsx"
import { filters, type FilterValues } from "./filters.ts"

const choices: Readonly<Record<string, ReadonlyArray<string>>> = {
  outcome: ["answered", "failed"],
  operation: ["chat", "decisions", "embeddings", "rerank", "videos"]
}

export const FilterForm = ({ values }: { readonly values: FilterValues }) => (
  <form
    class="controls"
    role="search"
    aria-label="Filters"
    onSubmit={(event) => event.preventDefault()}
  >
    <FindById />
    {filters.map(({ label, name }) => (
      <Field key={name} label={label}>
        <input
          list={choices[name] === undefined ? undefined : `choices-${name}`}
          value={values[name] ?? ""}
          onChange={({ currentTarget: { value } }) => setQuery({ [name]: value.trim() })}
        />
        {choices[name] !== undefined && (
          <datalist id={`choices-${name}`}>
            {choices[name].map((choice) => (
              <option key={choice} value={choice} />
            ))}
          </datalist>
        )}
      </Field>
    ))}
    {Object.keys(values).length > 0 && (
      <button
        type="button"
        onClick={() => setQuery(Object.fromEntries(filters.map(({ name }) => [name, undefined])))}
      >
        Clear filters
      </button>
    )}
  </form>
)
