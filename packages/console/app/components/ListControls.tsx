/** Search, state and order of a list that the server selects; they are in the address. */
import type { ComponentChildren } from "preact"
import { setQuery } from "../routing/location.ts"
import { Field } from "./Field.tsx"

type Options = Readonly<Record<string, string>>

export const ListControls = ({
  children,
  label,
  query,
  sorts,
  stateLabel = "State",
  states
}: {
  /** Of the search, such as "Find providers". */
  readonly label: string
  readonly query: Readonly<Record<string, string>>
  readonly sorts: Options
  readonly stateLabel?: string
  readonly states: Options
  readonly children?: ComponentChildren
}) => (
  <div class="controls" role="search">
    <Field label={label}>
      <input
        type="search"
        value={query["search"] ?? ""}
        onInput={({ currentTarget: { value } }) => change({ search: value })}
      />
    </Field>
    <Choice label={stateLabel} name="state" options={states} value={query["state"] ?? ""} />
    <Choice label="Order" name="sort" options={sorts} value={query["sort"] ?? "state"} />
    {children}
  </div>
)

/** The states and orders of lists of what serves: providers and models. */
export const statusControls = {
  states: { "": "all", failing: "failing", healthy: "healthy" },
  sorts: {
    state: "failing first",
    requests: "busiest first",
    failures: "most failures first",
    latency: "slowest first",
    cost: "dearest first",
    name: "by name"
  }
}

/** Another selection begins at its first page. */
const change = (query: Readonly<Record<string, string>>): void =>
  setQuery({ ...query, offset: undefined })

const Choice = ({
  label,
  name,
  options,
  value
}: {
  readonly label: string
  /** The parameter in the address. */
  readonly name: string
  readonly options: Options
  readonly value: string
}) => (
  <Field label={label}>
    <select value={value} onChange={({ currentTarget: { value } }) => change({ [name]: value })}>
      {Object.entries(options).map(([id, title]) => (
        <option key={id} value={id}>
          {title}
        </option>
      ))}
    </select>
  </Field>
)
