/** The catalog's operations: read the query, look up, encode, and say what a client may keep. */
import * as Cache from "effect/Cache"
import * as Digest from "effect/crypto/Digest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { Catalog } from "../../catalog/Catalog.ts"
import type { ResolvedModel } from "../../catalog/Configuration.ts"
import { type ListingPage, Listing, type ListingPageRequest } from "../../listing/Listing.ts"
import { Settings } from "../../Settings.ts"
import type { CatalogApi } from "../api/CatalogApi.ts"
import type { LegacyContext, Handler, Handlers } from "../legacyHandlers.ts"
import { encodeModelCard, joinCards, encodeCard } from "../encodeModelCard.ts"
import { conditionalGet, type Entity, toEntity, toTextEntity } from "../conditionalGet.ts"
import type { ExpectedError } from "../errors/toErrorResponse.ts"
import type { QueryParameters } from "../QueryParameters.ts"
import {
  type ModelListRequest,
  readCountQuery,
  readModelQuery,
  readUserQuery
} from "../readModelQuery.ts"
import { matchRoute } from "../routeTable.ts"

/** Where a list was asked for. */
type Address = Pick<LegacyContext, "mount" | "path" | "query">

export const catalogHandlers = Effect.gen(function* () {
  const catalog = yield* Catalog
  const listing = yield* Listing
  const settings = yield* Settings
  const digest = yield* Digest.Digest
  const site = settings.publicUrl?.replace(/\/+$/, "")

  const provideDigest = <A, E>(effect: Effect.Effect<A, E, Digest.Digest>): Effect.Effect<A, E> =>
    Effect.provideService(effect, Digest.Digest, digest)
  const respondWithEntity =
    (
      entityFor: (asked: LegacyContext) => Effect.Effect<Entity, ExpectedError, Digest.Digest>
    ): Handler =>
    (asked) =>
      Effect.map(provideDigest(entityFor(asked)), (entity) =>
        conditionalGet(entity, asked.request.headers)
      )

  const toModelListEntity = Effect.fnUntraced(function* (
    { feed, page }: ModelListRequest,
    { models, total }: ListingPage,
    address: Address
  ) {
    if (feed !== undefined) {
      const { renderModelsFeed } = yield* Effect.promise(() => import("../renderModelsFeed.ts"))
      const text = yield* renderModelsFeed(models, { site, ...feed })
      return yield* toTextEntity(text, "application/rss+xml; charset=utf-8")
    }
    const next = JSON.stringify(toNextLink(address, page, total))
    const { body, etagSource } = joinCards(
      `{"data":[`,
      yield* Effect.forEach(models, encodeModelCard),
      `],"total_count":${total},"links":{"next":${next}}}`,
      address.mount
    )
    return yield* toEntity(body, json, etagSource)
  })

  const models = Effect.fnUntraced(function* (
    address: Address
  ): Effect.fn.Return<Entity, ExpectedError, Digest.Digest> {
    const asked = yield* Effect.fromResult(readModelQuery(address.query))
    return yield* toModelListEntity(asked, yield* listing.search(asked.query, asked.page), address)
  })

  /** The same list is asked for again and again: it is kept for a moment, unless it is large. */
  const responseCache = yield* Cache.makeWith(
    (key: string): Effect.Effect<Entity, ExpectedError> => {
      const [, mount = "", url = ""] = key.split("\n")
      const { handler, searchParams } = matchRoute("GET", url)!
      // Whoever came first may leave; others wait for the same.
      return provideDigest(
        Effect.uninterruptible(models({ mount, path: handler.path, query: searchParams }))
      )
    },
    {
      capacity: maxCachedResponses,
      timeToLive: (exit) =>
        Exit.isSuccess(exit) && exit.value.body.length <= maxCachedBytes ? cacheTtl : Duration.zero
    }
  )

  return {
    models: respondWithEntity(({ mount, request }) =>
      Cache.get(responseCache, [catalog.current().version, mount, request.url].join("\n"))
    ),
    count: respondWithEntity(
      Effect.fnUntraced(function* ({ query }) {
        const counted = yield* Effect.fromResult(readCountQuery(query))
        const { total } = yield* listing.search(counted, { offset: 0, limit: 1 })
        return yield* toDataEntity({ count: total })
      })
    ),
    userModels: respondWithEntity(
      Effect.fnUntraced(function* (address) {
        const asked = yield* Effect.fromResult(readUserQuery(address.query))
        const found = yield* listing.searchFor(address.caller, asked.query, asked.page)
        return yield* toModelListEntity(asked, found, address)
      })
    ),
    model: respondWithEntity((asked) =>
      Effect.flatMap(
        Effect.flatMap(listing.getModel(getModelSlug(asked)), encodeResolvedCard),
        (card) => {
          const { body, etagSource } = joinCards(`{"data":`, [card], "}", asked.mount)
          return toEntity(body, json, etagSource)
        }
      )
    ),
    endpoints: respondWithEntity((asked) =>
      Effect.flatMap(
        listing.getEndpoints(getModelSlug(asked)),
        ({ endpoints, model: { card } }) => {
          const { architecture, created, description, id, name } = card
          return toDataEntity({
            id,
            name,
            created,
            description,
            architecture: { ...architecture, tokenizer: architecture.tokenizer ?? null },
            endpoints
          })
        }
      )
    ),
    zdrEndpoints: respondWithEntity(() => Effect.flatMap(listing.listZdrEndpoints, toDataEntity)),
    providers: respondWithEntity(() => Effect.flatMap(listing.listProviders, toDataEntity)),
    videoModels: respondWithEntity(() => Effect.flatMap(listing.listVideoModels, toDataEntity))
  } satisfies Handlers<typeof CatalogApi>
})

const toDataEntity = (value: unknown): Effect.Effect<Entity, never, Digest.Digest> =>
  toTextEntity(JSON.stringify({ data: value }), json)

const getModelSlug = ({ params }: LegacyContext): string => `${params["author"]}/${params["slug"]}`

const json = "application/json"

/** At most 32 MiB in all. */
const maxCachedResponses = 16
const maxCachedBytes = 2_097_152

/** As long as an order by what is measured lasts. */
const cacheTtl = Duration.seconds(1)

/** An alias has a card of its own, which says whom it means today. */
const encodeResolvedCard = ({ alias, model }: ResolvedModel) =>
  alias === undefined
    ? encodeModelCard(model)
    : encodeCard({ ...model.card, id: alias, alias_target: { name: model.name, slug: model.id } })

/** The path of the next page, with everything the request asked for. */
const toNextLink = (
  { mount, path, query }: Address,
  { limit, offset }: ListingPageRequest,
  total: number
): string | null => {
  if (limit === undefined || offset + limit >= total) return null
  const asked = toSearchParams(query)
  asked.set("offset", String(offset + limit))
  asked.set("limit", String(limit))
  return `${mount}${path}?${asked}`
}

const toSearchParams = (parameters: QueryParameters): URLSearchParams => {
  const query = new URLSearchParams()
  for (const [name, given = []] of Object.entries(parameters)) {
    for (const value of typeof given === "string" ? [given] : given) query.append(name, value)
  }
  return query
}
