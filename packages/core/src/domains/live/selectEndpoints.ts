/** Selects a page of the endpoints that are watched. Pure; the work grows with the endpoints that have something to tell. */
import type { Measures } from "../../engine/observability/rollups/Measures.ts"
import * as Histogram from "../../values/Histogram.ts"
import type { EndpointIndex, IndexedEndpoint } from "./EndpointIndex.ts"
import {
  type BreakerState,
  breakerStates,
  type EndpointQuery,
  type EndpointSort
} from "./EndpointQuery.ts"

/** What is known of the endpoints that have something to tell. */
export interface EndpointActivity {
  /** The breakers that are not closed. */
  readonly unhealthy: ReadonlyMap<string, BreakerState>
  /** The attempts over the last minutes, of endpoints with any. */
  readonly recent: ReadonlyMap<string, Measures>
}

export interface SelectedEndpoints {
  readonly endpoints: ReadonlyArray<IndexedEndpoint>
  /** How many match. */
  readonly total: number
}

/** Endpoints without the value that they are sorted by come last. */
export const selectEndpoints = (
  index: EndpointIndex,
  {
    limit = Infinity,
    offset,
    sort,
    state = breakerStates
  }: Pick<EndpointQuery, "limit" | "offset" | "sort" | "state">,
  activity: EndpointActivity
): SelectedEndpoints => {
  const isWanted = ({ id }: IndexedEndpoint): boolean =>
    state.includes(activity.unhealthy.get(id) ?? "closed")
  const unhealthy = findAll(index, activity.unhealthy.keys())
  const healthy = state.includes("closed") ? index.endpoints.length - unhealthy.length : 0
  const total = healthy + unhealthy.filter(isWanted).length

  const ranked = rank(index, sort, activity).filter(isWanted)
  const page = ranked.slice(offset, offset + limit)
  const isRanked = new Set(ranked)
  // The healthy ones are so many that their order must not depend on what happens to them.
  const others =
    healthy === 0
      ? unhealthy.toSorted(compareIds)
      : sort === undefined
        ? index.endpoints
        : index.byModel()
  if (ranked.length === 0 && total === index.endpoints.length) {
    return { endpoints: others.slice(offset, offset + limit), total }
  }
  const size = Math.min(limit, total - offset)
  let skipped = ranked.length
  for (const endpoint of others) {
    if (page.length >= size) break
    if (isRanked.has(endpoint) || !isWanted(endpoint)) continue
    if (skipped < offset) skipped += 1
    else page.push(endpoint)
  }
  return { endpoints: page, total }
}

/** The endpoints that have the value to sort by, the greatest first. */
const rank = (
  index: EndpointIndex,
  sort: EndpointSort | undefined,
  activity: EndpointActivity
): ReadonlyArray<IndexedEndpoint> => {
  if (sort === undefined || sort === "model") return []
  const ids = new Set(activity.recent.keys())
  if (sort === "state") for (const id of activity.unhealthy.keys()) ids.add(id)
  return findAll(index, ids)
    .flatMap((endpoint) => {
      const weight = weigh(endpoint.id, sort, activity)
      return weight === undefined ? [] : [{ endpoint, weight }]
    })
    .toSorted((one, other) => other.weight - one.weight || compareIds(one.endpoint, other.endpoint))
    .map(({ endpoint }) => endpoint)
}

const weigh = (
  id: string,
  sort: Exclude<EndpointSort, "model">,
  { recent, unhealthy }: EndpointActivity
): number | undefined => {
  const measures = recent.get(id)
  if (sort === "state") {
    // An endpoint with traffic comes before one without.
    const isUsed = measures !== undefined ? 1 : 0
    return breakerStates.indexOf(unhealthy.get(id) ?? "closed") * 2 + isUsed
  }
  if (measures === undefined || measures.requests === 0) return undefined
  switch (sort) {
    case "requests":
      return measures.requests
    case "failures":
      return measures.errors / measures.requests
    case "latency":
      return measures.latency.count === 0 ? undefined : Histogram.getQuantile(measures.latency, 0.5)
  }
}

const findAll = (index: EndpointIndex, ids: Iterable<string>): ReadonlyArray<IndexedEndpoint> =>
  Array.from(ids).flatMap((id) => index.find(id) ?? [])

const compareIds = (one: IndexedEndpoint, other: IndexedEndpoint): number =>
  one.id < other.id ? -1 : one.id > other.id ? 1 : 0
