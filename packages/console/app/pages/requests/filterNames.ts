/** What the filter bar calls the filters of requests. */

/** A text that must be equal, by the parameter of the API. */
export const textFilters: Readonly<Record<string, string>> = {
  status: "outcome",
  model: "model",
  provider: "provider",
  endpoint: "endpoint",
  operation: "operation",
  workspace: "workspace_id",
  key: "key_hash",
  user: "user",
  external_user: "external_user",
  preset: "preset_id",
  session: "session_id",
  request: "request_id"
}

interface RangeFilter {
  /** What a unit of the text is in that of the API. No unit has an empty name. */
  readonly units: Readonly<Record<string, number>>
  /** The smallest difference between two figures, in the unit of the API: what `>` adds to `>=`. */
  readonly step: number
  readonly example: string
}

/** A figure with bounds, by its name in the API: `min_latency` and `max_latency`. */
export const rangeFilters: Readonly<Record<string, RangeFilter>> = {
  latency: { units: { "": 1, ms: 1, s: 1_000, m: 60_000 }, step: 0.001, example: "latency>2s" },
  cost: { units: { "": 1, $: 1 }, step: 1e-9, example: "cost>0.01" },
  tokens: { units: { "": 1, k: 1_000, m: 1_000_000 }, step: 1, example: "tokens>10k" }
}

/** Every form that a filter may have. */
export const filterForms: ReadonlyArray<string> = [
  ...Object.keys(textFilters).map((name) => `${name}:`),
  "tag.customer:",
  ...Object.values(rangeFilters).map(({ example }) => example)
]
