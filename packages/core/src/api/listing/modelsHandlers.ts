/** Handlers of the model operations. Cards are joined as encoded text, and lists are cached for a second. */
import * as Cache from "effect/Cache"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as Exit from "effect/Exit"
import * as Hash from "effect/Hash"
import * as Digest from "effect/crypto/Digest"
import {
  Listing,
  type ListingPage,
  type ListingPageRequest
} from "../../domains/listing/Listing.ts"
import type { ModelQuery } from "../../domains/listing/ModelQuery.ts"
import { Catalog } from "../../engine/catalog/Catalog.ts"
import type { ResolvedModel } from "../../engine/catalog/Configuration.ts"
import type { Model } from "../../engine/catalog/model/Model.ts"
import type { ModelCard } from "../../engine/catalog/model/ModelCard.ts"
import { Settings } from "../../instance/Settings.ts"
import { omitUndefined } from "../../values/ownFields.ts"
import { toRange } from "../contract/queryParameters.ts"
import type { Handlers } from "../operation/Handler.ts"
import { toDataEntity, toEntity, toTextEntity } from "../operation/Reply.ts"
import type { RequestContext, SearchParams } from "../operation/RequestContext.ts"
import {
  defaultModelPageSize,
  type ModelListQuery,
  type ModelPageQuery,
  type ModelsApi,
  type OutputModalitiesQuery
} from "./ModelsApi.ts"
import { toAnthropicModel, toAnthropicPage, wantsAnthropicModels } from "./toAnthropicModels.ts"

/** Parameters of the query that only Anthropic's form of the list has. */
const listAnthropicOnly = (given: RequestContext["searchParams"]): ReadonlyArray<string> =>
  ["after_id", "before_id"].filter((name) => given[name] !== undefined)

/** The link to the next page repeats the address of the request. */
type Address = Pick<RequestContext, "mount" | "path" | "searchParams">

/** A response depends only on the request and the catalog version. */
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

export const modelsHandlers = Effect.gen(function* () {
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

  /** Clients repeat the same request; large responses are not cached. */
  const responseCache = yield* Cache.makeWith(
    // Uninterruptible: the first caller may disconnect while others wait for the same response.
    (key: ModelListKey) => provideDigest(Effect.uninterruptible(listModels(key))),
    {
      capacity: maxCachedResponses,
      timeToLive: (exit) =>
        Exit.isSuccess(exit) && exit.value.body.length <= maxCachedBytes ? cacheTtl : Duration.zero
    }
  )

  const toJsonEntity = (value: unknown) => provideDigest(toTextEntity(JSON.stringify(value), json))

  const getModel = (slug: string, mount: string) =>
    provideDigest(
      Effect.flatMap(Effect.flatMap(listing.getModel(slug), encodeResolvedCard), (card) => {
        const { body, etagSource } = joinCards(`{"data":`, [card], "}", mount)
        return toEntity(body, json, etagSource)
      })
    )

  return {
    list: ({ query }, context) =>
      wantsAnthropicModels(context.headers)
        ? Effect.flatMap(listing.search(toModelQuery(query), { offset: 0 }), ({ models }) =>
            toJsonEntity(toAnthropicPage(models, context.searchParams, query.limit))
          )
        : Effect.suspend(() => {
            context.routing.onIgnored(listAnthropicOnly(context.searchParams))
            return Cache.get(
              responseCache,
              new ModelListKey(catalog.current().version, query, context)
            )
          }),
    count: ({ query }) =>
      Effect.flatMap(
        listing.search(toOutputModalities(query), { offset: 0, limit: 1 }),
        ({ total }) => provideDigest(toDataEntity({ count: total }))
      ),
    listAccessible: ({ query }, context) => {
      const page = toListingPage(query)
      return Effect.flatMap(
        listing.searchFor(context.caller, toOutputModalities(query), page),
        (found) => provideDigest(toModelListEntity(found, page, context))
      )
    },
    listEmbeddings: ({ query: { limit = defaultModelPageSize, offset = 0 } }, context) => {
      const page = { limit, offset }
      return Effect.flatMap(listing.search({ outputModalities: ["embeddings"] }, page), (found) =>
        provideDigest(toModelListEntity(found, page, context))
      )
    },
    get: ({ params }, { mount }) => getModel(toSlug(params), mount),
    getById: ({ params: { id } }, { headers, mount }) =>
      wantsAnthropicModels(headers)
        ? Effect.flatMap(listing.getModel(id), (found) =>
            toJsonEntity(toAnthropicModel(toCard(found)))
          )
        : getModel(id, mount)
  } satisfies Handlers<typeof ModelsApi>
})

export const toSlug = ({
  author,
  slug
}: {
  readonly author: string
  readonly slug: string
}): string => `${author}/${slug}`

const json = "application/json"

/** 16 responses of 2 MiB are at most 32 MiB. */
const maxCachedResponses = 16
const maxCachedBytes = 2_097_152

/** The listing recomputes orders by measured values at the same interval. */
const cacheTtl = Duration.seconds(1)

/** The card of an alias names its current target. */
const toCard = ({ alias, model }: ResolvedModel): ModelCard =>
  alias === undefined
    ? model.card
    : { ...model.card, id: alias, alias_target: { name: model.name, slug: model.id } }

const encodeResolvedCard = (resolved: ResolvedModel) =>
  resolved.alias === undefined ? encodeModelCard(resolved.model) : encodeCard(toCard(resolved))

/** The path of the next page, with all parameters of the request. */
const toNextLink = (
  { mount, path, searchParams }: Address,
  { limit, offset }: ListingPageRequest,
  total: number
): string | null => {
  if (limit === undefined || offset + limit >= total) return null
  const next = toSearchParams(searchParams)
  next.set("offset", String(offset + limit))
  next.set("limit", String(limit))
  return `${mount}${path}?${next}`
}

const toSearchParams = (parameters: SearchParams): URLSearchParams => {
  const query = new URLSearchParams()
  for (const [name, given = []] of Object.entries(parameters)) {
    for (const value of typeof given === "string" ? [given] : given) query.append(name, value)
  }
  return query
}

/** A model is immutable; only its paths depend on the mount. */
interface EncodedCard {
  /** UTF-8 text up to the mount. */
  readonly before: Uint8Array
  readonly after: Uint8Array
  /** SHA-256 of `before` and `after`. */
  readonly hash: Uint8Array
}

const cardCache = new WeakMap<Model, EncodedCard>()

/** Encodes model cards to JSON once, because a list response contains hundreds of them. */
const encodeModelCard = (model: Model): Effect.Effect<EncodedCard, never, Digest.Digest> => {
  const before = cardCache.get(model)
  return before === undefined
    ? Effect.tap(encodeCard(model.card), (made) => Effect.sync(() => cardCache.set(model, made)))
    : Effect.succeed(before)
}

/** Not cached: for cards without a model of their own, such as the card of an alias. */
const encodeCard = ({
  links: { details },
  ...card
}: ModelCard): Effect.Effect<EncodedCard, never, Digest.Digest> => {
  const before = encoder.encode(`${JSON.stringify(card).slice(0, -1)},"links":{"details":"`)
  const after = encoder.encode(`${JSON.stringify(details).slice(1)}}}`)
  return Effect.map(
    Effect.flatMap(Digest.Digest, (digest) =>
      digest.digest(Digest.sha256, concatBytes([before, after]))
    ),
    (hash) => ({ before, after, hash })
  )
}

/** Joins cards between two fragments of JSON. `etagSource` identifies the body and is cheaper to hash. */
const joinCards = (
  start: string,
  cards: ReadonlyArray<EncodedCard>,
  end: string,
  mount: string
): { readonly body: Uint8Array; readonly etagSource: Uint8Array } => {
  const mountBytes = encoder.encode(JSON.stringify(mount).slice(1, -1))
  const pieces: Array<Uint8Array> = [encoder.encode(start)]
  for (const [index, { after, before }] of cards.entries()) {
    if (index > 0) pieces.push(comma)
    pieces.push(before, mountBytes, after)
  }
  pieces.push(encoder.encode(end))
  return {
    body: concatBytes(pieces),
    etagSource: concatBytes([
      ...cards.map(({ hash }) => hash),
      encoder.encode(`${start}\0${end}\0${mount}`)
    ])
  }
}

const concatBytes = (pieces: ReadonlyArray<Uint8Array>): Uint8Array<ArrayBuffer> => {
  const whole = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}

const encoder = new TextEncoder()
const comma = encoder.encode(",")

/** Converts the query parameters of the model operations to queries of the listing. */
const toModelQuery = (query: ModelListQuery): ModelQuery =>
  omitUndefined({
    ...toOutputModalities(query),
    category: query.category,
    supportedParameters: query.supported_parameters,
    inputModalities: query.input_modalities,
    text: query.q,
    context: query.context,
    price: toRange(query.min_price, query.max_price),
    outputPrice: toRange(query.min_output_price, query.max_output_price),
    architecture: query.arch,
    authors: query.model_authors,
    providers: query.providers,
    distillable: query.distillable,
    zdr: query.zdr,
    region: query.region,
    ageDays: toRange(query.min_age_days, query.max_age_days),
    intelligence: toRange(query.min_intelligence_index, query.max_intelligence_index),
    coding: toRange(query.min_coding_index, query.max_coding_index),
    agentic: toRange(query.min_agentic_index, query.max_agentic_index),
    toolSuccessRate: toRange(query.min_tool_success_rate, query.max_tool_success_rate),
    sort: query.sort
  })

/** Defaults to models with text output. */
const toOutputModalities = ({
  output_modalities: modalities = ["text"]
}: OutputModalitiesQuery): Pick<ModelQuery, "outputModalities"> =>
  modalities.includes("all")
    ? {}
    : { outputModalities: modalities.filter((modality) => modality !== "all") }

/** Without offset and limit, the page contains all models. */
const toListingPage = ({ limit, offset }: ModelPageQuery): ListingPageRequest =>
  offset === undefined && limit === undefined
    ? { offset: 0 }
    : { offset: offset ?? 0, limit: limit ?? defaultModelPageSize }
