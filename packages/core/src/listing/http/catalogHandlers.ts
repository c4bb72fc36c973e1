/** The catalog's operations: read the query, look up, encode, and say what a client may keep. */
import * as Cache from "effect/Cache"
import * as Digest from "effect/crypto/Digest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as Exit from "effect/Exit"
import * as Hash from "effect/Hash"
import { Catalog } from "../../catalog/Catalog.ts"
import type { ResolvedModel } from "../../catalog/Configuration.ts"
import { type ListingPage, Listing, type ListingPageRequest } from "../Listing.ts"
import { Settings } from "../../Settings.ts"
import type { CatalogApi, ModelListQuery } from "./CatalogApi.ts"
import { type Entity, toEntity, toTextEntity } from "../../http/operation/conditionalGet.ts"
import { encodeCard, encodeModelCard, joinCards } from "./encodeModelCard.ts"
import type { OperationHandlers } from "../../http/operation/OperationInput.ts"
import type { RequestContext, SearchParams } from "../../http/operation/RequestContext.ts"
import { toListingPage, toModelQuery, toOutputModalities } from "./toModelQuery.ts"

/** Where a list was asked for. */
type Address = Pick<RequestContext, "mount" | "path" | "searchParams">

/** A request of the list; the same request of the same catalog has the same answer for a while. */
class ModelListKey implements Equal.Equal {
  readonly query: ModelListQuery
  readonly address: Address
  readonly #text: string

  constructor(version: number, query: ModelListQuery, { mount, path, searchParams }: Address) {
    this.query = query
    this.address = { mount, path, searchParams }
    this.#text = JSON.stringify([version, mount, searchParams])
  }

  [Equal.symbol](that: unknown): boolean {
    return that instanceof ModelListKey && that.#text === this.#text
  }

  [Hash.symbol](): number {
    return Hash.string(this.#text)
  }
}

export const catalogHandlers = Effect.gen(function* () {
  const catalog = yield* Catalog
  const listing = yield* Listing
  const settings = yield* Settings
  const digest = yield* Digest.Digest
  const site = settings.publicUrl?.replace(/\/+$/, "")

  const provideDigest = Effect.provideService(Digest.Digest, digest)

  const toModelListEntity = Effect.fnUntraced(function* (
    { models, total }: ListingPage,
    page: ListingPageRequest,
    address: Address
  ) {
    const next = JSON.stringify(toNextLink(address, page, total))
    const { body, etagSource } = joinCards(
      `{"data":[`,
      yield* Effect.forEach(models, encodeModelCard),
      `],"total_count":${total},"links":{"next":${next}}}`,
      address.mount
    )
    return yield* toEntity(body, json, etagSource)
  })

  const listModels = Effect.fnUntraced(function* ({ address, query }: ModelListKey) {
    const page = toListingPage(query)
    const found = yield* listing.search(toModelQuery(query), page)
    if (query.use_rss !== true) return yield* toModelListEntity(found, page, address)
    const { renderModelsFeed } = yield* Effect.promise(() => import("./renderModelsFeed.ts"))
    const text = yield* renderModelsFeed(found.models, {
      site,
      chatLinks: query.use_rss_chat_links === true
    })
    return yield* toTextEntity(text, "application/rss+xml; charset=utf-8")
  })

  /** Clients repeat the same list: it is kept for a moment, unless it is large. */
  const responseCache = yield* Cache.makeWith(
    // Whoever came first may leave; others wait for the same.
    (key: ModelListKey) => provideDigest(Effect.uninterruptible(listModels(key))),
    {
      capacity: maxCachedResponses,
      timeToLive: (exit) =>
        Exit.isSuccess(exit) && exit.value.body.length <= maxCachedBytes ? cacheTtl : Duration.zero
    }
  )

  return {
    models: ({ query }, context) =>
      Cache.get(responseCache, new ModelListKey(catalog.current().version, query, context)),
    count: ({ query }) =>
      Effect.flatMap(
        listing.search(toOutputModalities(query), { offset: 0, limit: 1 }),
        ({ total }) => provideDigest(toDataEntity({ count: total }))
      ),
    userModels: ({ query }, context) => {
      const page = toListingPage(query)
      return Effect.flatMap(
        listing.searchFor(context.caller, toOutputModalities(query), page),
        (found) => provideDigest(toModelListEntity(found, page, context))
      )
    },
    model: ({ params }, { mount }) =>
      provideDigest(
        Effect.flatMap(
          Effect.flatMap(listing.getModel(toSlug(params)), encodeResolvedCard),
          (card) => {
            const { body, etagSource } = joinCards(`{"data":`, [card], "}", mount)
            return toEntity(body, json, etagSource)
          }
        )
      ),
    endpoints: ({ params }) =>
      Effect.flatMap(listing.getEndpoints(toSlug(params)), ({ endpoints, model: { card } }) => {
        const { architecture, created, description, id, name } = card
        return provideDigest(
          toDataEntity({
            id,
            name,
            created,
            description,
            architecture: { ...architecture, tokenizer: architecture.tokenizer ?? null },
            endpoints
          })
        )
      }),
    zdrEndpoints: () => provideDigest(Effect.flatMap(listing.listZdrEndpoints, toDataEntity)),
    providers: () => provideDigest(Effect.flatMap(listing.listProviders, toDataEntity)),
    videoModels: () => provideDigest(Effect.flatMap(listing.listVideoModels, toDataEntity))
  } satisfies OperationHandlers<typeof CatalogApi>
})

const toDataEntity = (value: unknown): Effect.Effect<Entity, never, Digest.Digest> =>
  toTextEntity(JSON.stringify({ data: value }), json)

const toSlug = ({ author, slug }: { readonly author: string; readonly slug: string }): string =>
  `${author}/${slug}`

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
  { mount, path, searchParams }: Address,
  { limit, offset }: ListingPageRequest,
  total: number
): string | null => {
  if (limit === undefined || offset + limit >= total) return null
  const asked = toSearchParams(searchParams)
  asked.set("offset", String(offset + limit))
  asked.set("limit", String(limit))
  return `${mount}${path}?${asked}`
}

const toSearchParams = (parameters: SearchParams): URLSearchParams => {
  const query = new URLSearchParams()
  for (const [name, given = []] of Object.entries(parameters)) {
    for (const value of typeof given === "string" ? [given] : given) query.append(name, value)
  }
  return query
}
