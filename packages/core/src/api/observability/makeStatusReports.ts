/** The state of providers and models: who fails since when, and their share of the traffic. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { makeFleet } from "../../domains/fleet/makeFleet.ts"
import { memoize } from "effect/Function"
import { Catalog } from "../../engine/catalog/Catalog.ts"
import type { Configuration } from "../../engine/catalog/Configuration.ts"
import type { Endpoint } from "../../engine/catalog/endpoint/Endpoint.ts"
import { findEndpoint } from "../../engine/catalog/findEndpoint.ts"
import { Health } from "../../engine/health/Health.ts"
import * as Measures from "../../engine/observability/rollups/Measures.ts"
import { bucketMillis, toBucketStart } from "../../engine/observability/rollups/Resolution.ts"
import * as Rollup from "../../engine/observability/rollups/Rollup.ts"
import { type RollupBucket, RollupStore } from "../../engine/observability/rollups/RollupStore.ts"
import { pickSeries, type Series } from "../../engine/observability/rollups/toSeries.ts"
import * as Histogram from "../../values/Histogram.ts"
import { type AccountId, ProviderSlug } from "../../values/ids/Ids.ts"
import type { ModelStatus, ProviderStatus, StatusQuery } from "./statusResponses.ts"
import { summarizePrices } from "./summarizePrices.ts"
import { toFiguresResponse } from "./toFiguresResponse.ts"

/** Made once for an instance. */
export const makeStatusReports = Effect.gen(function* () {
  const catalog = yield* Catalog
  const clock = yield* Clock.Clock
  const fleet = yield* makeFleet
  const health = yield* Health
  const rollups = yield* RollupStore

  /** The endpoints that fail in any process, those first that have failed for longest. */
  const listFailures = Effect.gen(function* () {
    const failures = new Map<string, Failure>()
    const add = (id: string, found: Omit<Failure, "endpoint">): void => {
      const known = failures.get(id)
      const endpoint = known?.endpoint ?? findEndpoint(catalog.current(), id)
      if (endpoint === undefined) return
      if (known === undefined || found.since < known.since) failures.set(id, { endpoint, ...found })
    }
    const { endpoints } = yield* health.reportEndpoints(health.listUnhealthy().keys())
    for (const [id, { breaker }] of Object.entries(endpoints)) {
      if (breaker.state === "open" || breaker.state === "backing_off") {
        add(id, { since: new Date(breaker.since).toISOString(), cause: breaker.cause })
      }
    }
    for (const { isLost, report } of yield* fleet.listOthers) {
      if (isLost) continue
      for (const { breaker, endpoint_id: id } of report.endpoints) {
        const { cause, since, state } = breaker
        if (state === "open" && since !== null) add(id, { since, cause: cause ?? "" })
      }
    }
    return Array.from(failures.values()).toSorted((one, other) =>
      one.since < other.since ? -1 : 1
    )
  })

  const toStatus = (
    endpoints: ReadonlyArray<Endpoint>,
    { failing, first, measures, points }: Measured,
    total: number
  ) => ({
    endpoints: endpoints.length,
    endpoints_in_service: endpoints.filter(
      (endpoint) => (health.controls.find(endpoint)?.state ?? "active") === "active"
    ).length,
    endpoints_failing: failing,
    failing_since: first?.since ?? null,
    cause: first?.cause ?? null,
    share: total === 0 ? 0 : measures.requests / total,
    figures: toFiguresResponse(measures),
    latency_p95: findP95(measures) ?? null,
    hours: points.map(({ measures: hour, startedAt }) => ({
      at: new Date(startedAt).toISOString(),
      requests: hour.requests,
      errors: hour.errors
    }))
  })

  const readHours = Effect.fnUntraced(function* (
    account: AccountId,
    dimension: "model" | "provider",
    hours: number
  ) {
    const now = clock.currentTimeMillisUnsafe()
    const buckets = yield* rollups.list({
      account,
      resolution: "hour",
      dimension,
      from: toBucketStart("hour", now - (hours - 1) * bucketMillis.hour),
      to: now + 1
    })
    return { buckets, total: countRequests(buckets) }
  })

  return {
    listProviders: Effect.fnUntraced(function* (
      account: AccountId,
      query: StatusQuery & { readonly provider?: string }
    ) {
      const configuration = catalog.current()
      const failures = Map.groupBy(yield* listFailures, ({ endpoint }) => endpoint.provider)
      const { buckets, total } = yield* readHours(account, "provider", query.hours)
      const rows = Array.from(configuration.upstreams.values())
        .filter(({ slug }) => query.provider === undefined || query.provider === slug)
        .map(({ name, slug }) => {
          const provider = ProviderSlug.make(slug)
          return {
            id: provider,
            name,
            measured: measure(failures.get(provider), pickSeries(buckets, name))
          }
        })
      return toPage(rows, query, ({ id, measured, name }): ProviderStatus => {
        const { endpoints, models } = groupByProvider(configuration).get(id) ?? unused
        return {
          provider: id,
          name,
          models,
          control: health.controls.find({ id: "", provider: id }) ?? inService,
          ...toStatus(endpoints, measured, total)
        }
      })
    }),
    listModels: Effect.fnUntraced(function* (
      account: AccountId,
      query: StatusQuery & { readonly model?: string; readonly provider?: string }
    ) {
      const failures = Map.groupBy(yield* listFailures, ({ endpoint }) => endpoint.model)
      const { buckets, total } = yield* readHours(account, "model", query.hours)
      const rows = catalog
        .current()
        .models.filter(
          ({ endpoints, id }) =>
            (query.model === undefined || query.model === id) &&
            (query.provider === undefined ||
              endpoints.some(({ provider }) => provider === query.provider))
        )
        .map((model) => ({
          id: model.id,
          name: model.name,
          model,
          measured: measure(failures.get(model.id), pickSeries(buckets, model.id))
        }))
      return toPage(rows, query, ({ id, measured, model, name }): ModelStatus => ({
        model: id,
        name,
        context_length: model.contextLength ?? null,
        price: summarizePrices(model.endpoints),
        providers: Array.from(new Set(model.endpoints.map(({ provider }) => provider))).slice(
          0,
          50
        ),
        ...toStatus(model.endpoints, measured, total)
      }))
    })
  }
})

/** The endpoints of each provider, and of how many models they are. Made once for a configuration. */
const groupByProvider = memoize(({ models }: Configuration) => {
  const groups = Map.groupBy(
    models.flatMap(({ endpoints }) => endpoints),
    ({ provider }) => provider
  )
  return new Map(
    Array.from(groups, ([provider, endpoints]) => {
      // A model may have several endpoints at a provider.
      const models = new Set(endpoints.map(({ model }) => model)).size
      return [provider, { endpoints, models }] as const
    })
  )
})

const unused = { endpoints: [], models: 0 }

interface Failure {
  readonly endpoint: Endpoint
  /** ISO 8601. */
  readonly since: string
  readonly cause: string
}

const inService = { state: "active", weight: 1 } as const

const countRequests = (buckets: ReadonlyArray<RollupBucket>): number =>
  buckets.reduce((sum, bucket) => sum + Rollup.total(bucket).requests, 0)

interface Measured {
  /** How many of its endpoints fail. */
  readonly failing: number
  /** The one that has failed for longest. */
  readonly first: Failure | undefined
  readonly measures: Measures.Measures
  readonly points: Series["points"]
}

/** What a row is sorted by; the rest of it is made for the rows of the page. */
const measure = (
  failures: ReadonlyArray<Failure> = [],
  [series]: ReturnType<typeof pickSeries>
): Measured => ({
  failing: failures.length,
  first: failures[0],
  measures: series?.total ?? Measures.empty,
  points: series?.points ?? []
})

interface Row {
  readonly id: string
  readonly name: string
  readonly measured: Measured
}

/** Ties are in the order of their ids. */
const toPage = <A extends Row, Response>(
  rows: ReadonlyArray<A>,
  { limit, offset, q = "", sort = "state", state }: StatusQuery,
  toResponse: (row: A) => Response
): { readonly data: ReadonlyArray<Response>; readonly total_count: number } => {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean)
  const toWeight = weights[sort]
  const sorted = rows
    .filter(({ id, measured, name }) => {
      const text = `${id} ${name}`.toLowerCase()
      const isWanted = state === undefined || (state === "failing") === measured.failing > 0
      return isWanted && words.every((word) => text.includes(word))
    })
    .map((row) => ({ row, weight: toWeight(row.measured) }))
    .toSorted((one, other) => other.weight - one.weight || (one.row.id < other.row.id ? -1 : 1))
  return {
    data: sorted.slice(offset, offset + limit).map(({ row }) => toResponse(row)),
    total_count: sorted.length
  }
}

const findP95 = ({ latency }: Measures.Measures): number | undefined =>
  latency.count === 0 ? undefined : Histogram.getQuantile(latency, 0.95)

/** Those with the greatest come first. */
const weights: Readonly<Record<NonNullable<StatusQuery["sort"]>, (measured: Measured) => number>> =
  {
    // What has failed for longest is first, and what has traffic before what has none.
    state: ({ first, measures }) =>
      first === undefined ? measures.requests : Number.MAX_SAFE_INTEGER - Date.parse(first.since),
    requests: ({ measures }) => measures.requests,
    failures: ({ measures }) =>
      measures.requests === 0 ? -1 : measures.errors / measures.requests,
    latency: ({ measures }) => findP95(measures) ?? -1,
    cost: ({ measures }) => Number(measures.cost),
    name: () => 0
  }
