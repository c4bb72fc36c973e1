/** Lists models, endpoints and providers from the configuration, health and usage, without I/O. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Catalog } from "../../engine/catalog/Catalog.ts"
import type { Configuration, ResolvedModel } from "../../engine/catalog/Configuration.ts"
import { isVideoModel, type Model } from "../../engine/catalog/model/Model.ts"
import { Health } from "../../engine/health/Health.ts"
import { ModelUsage } from "../../engine/health/ModelUsage.ts"
import { Routing } from "../../routing/Routing.ts"
import { omitUndefined } from "../../values/ownFields.ts"
import { findNearestName } from "../../values/validation/findNearestName.ts"
import * as Bits from "./BitSet.ts"
import { type LiveMetrics, makeLiveMetrics } from "./LiveMetrics.ts"
import { Listing, type ListingPage, type ListingPageRequest, ModelNotListed } from "./Listing.ts"
import { findMatches } from "./findMatches.ts"
import * as ModelIndex from "./ModelIndex.ts"
import type { ModelQuery, ModelSort } from "./ModelQuery.ts"
import * as ProviderInfo from "./ProviderInfo.ts"
import type { PublicEndpoint } from "./PublicEndpoint.ts"
import { toPublicEndpoint } from "./toPublicEndpoint.ts"
import {
  type LiveMetric,
  findLiveMetric,
  takePage,
  type Ranking,
  rankModels
} from "./rankModels.ts"
import * as VideoModel from "./VideoModel.ts"

export const layerListing = Layer.effect(
  Listing,
  Effect.gen(function* () {
    const catalog = yield* Catalog
    const health = yield* Health
    const usage = yield* ModelUsage
    const routing = yield* Routing

    /** Configurations are immutable, so each is indexed once. */
    const prepared = new WeakMap<Configuration, PreparedConfiguration>()
    const prepare = (configuration: Configuration): PreparedConfiguration => {
      let known = prepared.get(configuration)
      if (known === undefined) {
        const index = ModelIndex.make(configuration)
        known = { index, liveMetrics: makeLiveMetrics(index), rankings: new Map() }
        prepared.set(configuration, known)
      }
      return known
    }

    /** Values by index; NaN when unknown. */
    const measure = Effect.fnUntraced(function* (
      { liveMetrics, index }: PreparedConfiguration,
      live: LiveMetric
    ): Effect.fn.Return<Float64Array> {
      return live === "weeklyTokens"
        ? Float64Array.from(index.models, ({ id }) => usage.getWeeklyTokens(id, health.time.now()))
        : liveMetrics[live]((yield* health.reportAll).endpoints)
    })

    const ranked = Effect.fnUntraced(function* (
      known: PreparedConfiguration,
      sort: ModelSort | undefined,
      now: number
    ): Effect.fn.Return<Ranking> {
      const live = sort === undefined ? undefined : findLiveMetric(sort)
      // Sorts by the same metric share a ranking.
      const last = known.rankings.get(live ?? sort)
      if (last !== undefined && Math.abs(now - last.at) < last.lastsMillis) return last.ranking
      const measured = live === undefined ? undefined : yield* measure(known, live)
      const made = rankModels(known.index, sort, measured)
      const lastsMillis = live === undefined ? Infinity : liveRankingTtlMillis
      known.rankings.set(live ?? sort, { at: now, lastsMillis, ranking: made })
      return made
    })

    const search = Effect.fnUntraced(function* (
      query: ModelQuery,
      { limit = Infinity, offset }: ListingPageRequest,
      mayUse?: (model: Model) => boolean
    ): Effect.fn.Return<ListingPage> {
      const now = yield* Clock.currentTimeMillis
      const known = prepare(catalog.current())
      const { models } = known.index
      const found = findMatches(known.index, query, now)
      if (mayUse !== undefined) Bits.filter(found, (place) => mayUse(models[place]!))
      const inOrder = yield* ranked(known, query.sort, now)
      return {
        models: takePage(found, inOrder, offset, limit).map((place) => models[place]!),
        total: Bits.count(found)
      }
    })

    /** Searches the models that everybody may list. */
    const findNearest = (slug: string): string | undefined =>
      findNearestName(
        slug,
        prepare(catalog.current()).index.models.map(({ id }) => id)
      )

    const model = (slug: string): Effect.Effect<ResolvedModel, ModelNotListed> => {
      const resolved = catalog.current().resolve(slug)
      return resolved === undefined
        ? Effect.fail(
            new ModelNotListed({ model: slug, ...omitUndefined({ nearest: findNearest(slug) }) })
          )
        : Effect.succeed(resolved)
    }

    /** The public data of the selected endpoints. */
    const published = Effect.fnUntraced(function* (
      models: ReadonlyArray<Model>,
      isShown: (endpoint: Model["endpoints"][number]) => boolean
    ): Effect.fn.Return<ReadonlyArray<PublicEndpoint>> {
      const { upstreams } = catalog.current()
      const shown = models.flatMap((model) =>
        model.endpoints.filter(isShown).map((endpoint) => ({ model, endpoint }))
      )
      const { endpoints: reports } = yield* health.reportEndpoints(
        shown.map(({ endpoint: { id } }) => id)
      )
      return shown.map(({ endpoint, model }) =>
        toPublicEndpoint(
          model,
          endpoint,
          upstreams.get(endpoint.provider)?.name ?? endpoint.provider,
          reports[endpoint.id]
        )
      )
    })

    return {
      search: (query, page) => search(query, page),
      searchFor: (caller, query, page) =>
        Effect.flatMap(routing.getModelFilter(caller), (mayUse) => search(query, page, mayUse)),
      getModel: (slug) => Effect.suspend(() => model(slug)),
      getEndpoints: Effect.fnUntraced(function* (slug) {
        const { model: named } = yield* model(slug)
        return { model: named, endpoints: yield* published([named], () => true) }
      }),
      listZdrEndpoints: Effect.suspend(() =>
        published(prepare(catalog.current()).index.models, ({ zdr }) => zdr)
      ),
      listProviders: Effect.sync(() =>
        Array.from(catalog.current().upstreams.values(), ProviderInfo.make)
      ),
      listVideoModels: Effect.sync(() =>
        prepare(catalog.current()).index.models.filter(isVideoModel).map(VideoModel.make)
      )
    }
  })
)

interface PreparedConfiguration {
  readonly index: ModelIndex.ModelIndex
  readonly liveMetrics: LiveMetrics
  readonly rankings: Map<
    ModelSort | LiveMetric | undefined,
    { readonly at: number; readonly lastsMillis: number; readonly ranking: Ranking }
  >
}

/** How long a ranking by live metrics is cached, because sorting a large catalog is expensive. */
const liveRankingTtlMillis = 1_000
