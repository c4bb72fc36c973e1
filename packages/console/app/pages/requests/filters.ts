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
  { name: "external_user", label: "External user", dimension: "external_user" },
  { name: "preset_id", label: "Preset", dimension: "preset" },
  { name: "tag", label: "Tag" },
  { name: "session_id", label: "Session" },
  { name: "request_id", label: "Request id" },
  ...["latency", "cost", "tokens"].flatMap((figure) => [
    { name: `min_${figure}`, label: `Lowest ${figure}` },
    { name: `max_${figure}`, label: `Highest ${figure}` }
  ])
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

/** A series: a dimension, and its only value if there is one. */
interface Scope {
  readonly dimension: string
  readonly value: string | undefined
}

/** What the charts can show of these filters: series know one dimension at a time. */
export interface ChartScope extends Scope {
  /** Labels of filters that the charts ignore. */
  readonly ignored: ReadonlyArray<string>
}

export const toChartScope = (values: FilterValues): ChartScope => {
  const set = filters.filter(({ name }) => values[name] !== undefined)
  const toScope = ({ dimension, name }: Filter): Scope | undefined => {
    const value = values[name]
    if (name === "tag") return toTagScope(value)
    return dimension === undefined ? undefined : { dimension, value }
  }
  // `failed` stands for many outcomes.
  const shown = set.find(
    (filter) =>
      toScope(filter) !== undefined &&
      !(filter.name === "outcome" && values["outcome"] === "failed")
  )
  return {
    ...((shown && toScope(shown)) ?? { dimension: "total", value: undefined }),
    ignored: set.filter((filter) => filter !== shown).map(({ label }) => label.toLowerCase())
  }
}

/** `customer:acme` is a value of the dimension `tag:customer`. */
const toTagScope = (tag = ""): Scope | undefined => {
  const at = tag.indexOf(":")
  return at < 1 ? undefined : { dimension: `tag:${tag.slice(0, at)}`, value: tag.slice(at + 1) }
}
