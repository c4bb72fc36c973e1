/** The filters of requests, each a field; a value applies when its field is left. */
import { useApi } from "../../api/useApi.ts"
import { useNames } from "../../api/useNames.ts"
import { Field } from "../../components/Field.tsx"
import { setQuery } from "../../routing/location.ts"
import { FindById } from "./FindById.tsx"
import { filters, type FilterValues } from "./filters.ts"

/** A value that a field suggests, and what a viewer knows it by. */
interface Choice {
  readonly id: string
  readonly name?: string
}

const outcomes = [{ id: "answered" }, { id: "failed" }]
const operations = ["chat", "decisions", "embeddings", "images", "rerank", "videos"].map((id) => ({
  id
}))

export const FilterForm = ({ values }: { readonly values: FilterValues }) => {
  const names = useNames()
  const models = useApi<"models.list">("api/v1/models")
  const presets = useApi<"presets.list">("api/v1/presets", { limit: 100 })
  const choices: Readonly<Record<string, ReadonlyArray<Choice>>> = {
    outcome: outcomes,
    operation: operations,
    model: models.data?.data ?? [],
    key_hash: names.keys,
    preset_id: presets.data?.data.map(({ id, slug }) => ({ id, name: slug })) ?? [],
    workspace_id: names.workspaces
  }
  return (
    <form
      class="controls filters"
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
            title={choices[name]?.find(({ id }) => id === values[name])?.name}
            onChange={({ currentTarget: { value } }) => setQuery({ [name]: value.trim() })}
          />
          {choices[name] !== undefined && (
            <datalist id={`choices-${name}`}>
              {choices[name].map(({ id, name }) => (
                <option key={id} value={id} label={name} />
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
}
