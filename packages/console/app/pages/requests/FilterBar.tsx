/** The filters of requests as one line of text. They apply on Enter, and are in the address one by one. */
import { useLayoutEffect, useState } from "preact/hooks"
import { Field } from "../../components/Field.tsx"
import { IdField } from "../../components/IdField.tsx"
import { navigate, setQuery, toHash } from "../../routing/location.ts"
import { filterForms } from "./filterNames.ts"
import { filters, type FilterValues } from "./filters.ts"
import { FilterSuggestions } from "./FilterSuggestions.tsx"
import { formatFilterText } from "./formatFilterText.ts"
import { parseFilterText } from "./parseFilterText.ts"

const unset = Object.fromEntries(filters.map(({ name }) => [name, undefined]))

export const FilterBar = ({ values }: { readonly values: FilterValues }) => {
  const applied = formatFilterText(values)
  const [text, setText] = useState(applied)
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const show = (text: string) => {
    setText(text)
    setProblem(undefined)
  }
  // Links and the browser's back change the address, too.
  useLayoutEffect(() => show(applied), [applied])
  return (
    <form
      class="filters"
      role="search"
      aria-label="Filters"
      onSubmit={(event) => {
        event.preventDefault()
        const parsed = parseFilterText(text)
        setProblem(parsed.problem)
        if (parsed.values !== undefined) setQuery({ ...unset, ...parsed.values })
      }}
    >
      <Field label="Filters" isWide>
        <input
          list="filter-suggestions"
          placeholder="latency>2s cost>0.01 status:failed tag.customer:acme"
          value={text}
          aria-invalid={problem !== undefined}
          aria-describedby="filter-problem"
          spellcheck={false}
          autocapitalize="off"
          onInput={({ currentTarget: { value } }) => setText(value)}
        />
        <FilterSuggestions id="filter-suggestions" typed={text} />
      </Field>
      <p id="filter-problem" class="text-bad" role="alert" hidden={problem === undefined}>
        {problem}
      </p>
      <div class="controls">
        <button>Filter</button>
        {Object.keys(values).length > 0 && (
          <button type="button" onClick={() => setQuery(unset)}>
            Clear filters
          </button>
        )}
        <IdField
          label="Find by id"
          placeholder="gen-… or x-request-id"
          onOpen={(id) => navigate(toHash(["requests", id]))}
        />
      </div>
      <details>
        <summary>What can be filtered</summary>
        <p class="muted small">
          {filterForms.join(" ")} All of them must hold. A value with spaces is in quotes:
          provider:&quot;North wind&quot;.
        </p>
      </details>
    </form>
  )
}
