/** The filters of requests, kept in the address. */

export interface Filter {
  /** The parameter of the API, and of the address. */
  readonly name: string
  readonly label: string
  /** The dimension of the series that have it, if any. */
  readonly dimension?: string
}

/** `from` and `to` come from the range. */
export const filters: ReadonlyArray<Filter> = [
  { name: "outcome", label: "Outcome", dimension: "outcome" },
  { name: "model", label: "Model", dimension: "model" },
  { name: "provider", label: "Provider", dimension: "provider" },
  { name: "endpoint", label: "Endpoint", dimension: "endpoint" },
  { name: "operation", label: "Operation", dimension: "operation" },
  { name: "workspace_id", label: "Workspace", dimension: "workspace" },
  { name: "key_hash", label: "Key", dimension: "key" },
  { name: "user", label: "User", dimension: "user" },
  { name: "session_id", label: "Session" }
]

export type FilterValues = Readonly<Record<string, string>>

/** The filters that are set. */
export const pickFilters = (query: Readonly<Record<string, string>>): FilterValues =>
  Object.fromEntries(
    filters.flatMap(({ name }) => {
      const value = query[name]
      return value === undefined || value === "" ? [] : [[name, value]]
    })
  )

/** What the charts can show of these filters: series know one dimension at a time. */
export interface ChartScope {
  readonly dimension: string
  readonly value: string | undefined
  /** Labels of filters that the charts ignore. */
  readonly ignored: ReadonlyArray<string>
}

export const toChartScope = (values: FilterValues): ChartScope => {
  const set = filters.filter(({ name }) => values[name] !== undefined)
  // `failed` stands for many outcomes.
  const shown = set.find(
    ({ dimension, name }) =>
      dimension !== undefined && !(name === "outcome" && values[name] === "failed")
  )
  return {
    dimension: shown?.dimension ?? "total",
    value: shown === undefined ? undefined : values[shown.name],
    ignored: set.filter((filter) => filter !== shown).map(({ label }) => label.toLowerCase())
  }
}
