/** The catalog's operations: read the query, look up, encode, and say what a client may keep. */
import * as Cache from "effect/Cache"
import * as Digest from "effect/crypto/Digest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { Catalog } from "../../catalog/Catalog.ts"
import type { Resolved } from "../../catalog/Configuration.ts"
import { type Found, Listing, type Page } from "../../listing/Listing.ts"
import { Settings } from "../../Settings.ts"
import type { CatalogApi } from "../api/CatalogApi.ts"
import type { Asked, Handler, Handlers } from "../Asked.ts"
import { cardJson, cardsBetween, jsonOf } from "../cardJson.ts"
import { conditional, type Entity, entityOf, textEntity } from "../conditional.ts"
import type { ExpectedError } from "../errors/refusalOf.ts"
import type { Parameters } from "../Parameters.ts"
import {
  type AskedModels,
  readCountQuery,
  readModelQuery,
  readUserQuery
} from "../readModelQuery.ts"
import { match } from "../routes.ts"

/** Where a list was asked for. */
type Address = Pick<Asked, "mount" | "path" | "query">

export const catalogHandlers = Effect.gen(function* () {
  const catalog = yield* Catalog
  const listing = yield* Listing
  const settings = yield* Settings
  const digest = yield* Digest.Digest
  const site = settings.publicUrl?.replace(/\/+$/, "")

  const hashing = <A, E>(effect: Effect.Effect<A, E, Digest.Digest>): Effect.Effect<A, E> =>
    Effect.provideService(effect, Digest.Digest, digest)
  const answering =
    (entityFor: (asked: Asked) => Effect.Effect<Entity, ExpectedError, Digest.Digest>): Handler =>
    (asked) =>
      Effect.map(hashing(entityFor(asked)), (entity) => conditional(entity, asked.request.headers))

  const listed = Effect.fnUntraced(function* (
    { feed, page }: AskedModels,
    { models, total }: Found,
    address: Address
  ) {
    if (feed !== undefined) {
      const { modelsFeed } = yield* Effect.promise(() => import("../modelsFeed.ts"))
      const text = yield* modelsFeed(models, { site, ...feed })
      return yield* textEntity(text, "application/rss+xml; charset=utf-8")
    }
    const next = JSON.stringify(nextOf(address, page, total))
    const { body, tells } = cardsBetween(
      `{"data":[`,
      yield* Effect.forEach(models, cardJson),
      `],"total_count":${total},"links":{"next":${next}}}`,
      address.mount
    )
    return yield* entityOf(body, json, tells)
  })

  const models = Effect.fnUntraced(function* (
    address: Address
  ): Effect.fn.Return<Entity, ExpectedError, Digest.Digest> {
    const asked = yield* Effect.fromResult(readModelQuery(address.query))
    return yield* listed(asked, yield* listing.find(asked.query, asked.page), address)
  })

  /** The same list is asked for again and again: it is kept for a moment, unless it is large. */
  const kept = yield* Cache.makeWith(
    (key: string): Effect.Effect<Entity, ExpectedError> => {
      const [, mount = "", url = ""] = key.split("\n")
      const { handler, searchParams } = match("GET", url)!
      // Whoever came first may leave; others wait for the same.
      return hashing(
        Effect.uninterruptible(models({ mount, path: handler.path, query: searchParams }))
      )
    },
    {
      capacity: keptAnswers,
      timeToLive: (exit) =>
        Exit.isSuccess(exit) && exit.value.body.length <= keptBytes ? keptFor : Duration.zero
    }
  )

  return {
    models: answering(({ mount, request }) =>
      Cache.get(kept, [catalog.current().version, mount, request.url].join("\n"))
    ),
    count: answering(
      Effect.fnUntraced(function* ({ query }) {
        const counted = yield* Effect.fromResult(readCountQuery(query))
        const { total } = yield* listing.find(counted, { offset: 0, limit: 1 })
        return yield* data({ count: total })
      })
    ),
    userModels: answering(
      Effect.fnUntraced(function* (address) {
        const asked = yield* Effect.fromResult(readUserQuery(address.query))
        const found = yield* listing.findFor(address.caller, asked.query, asked.page)
        return yield* listed(asked, found, address)
      })
    ),
    model: answering((asked) =>
      Effect.flatMap(Effect.flatMap(listing.model(slugOf(asked)), cardOf), (card) => {
        const { body, tells } = cardsBetween(`{"data":`, [card], "}", asked.mount)
        return entityOf(body, json, tells)
      })
    ),
    endpoints: answering((asked) =>
      Effect.flatMap(listing.endpointsOf(slugOf(asked)), ({ endpoints, model: { card } }) => {
        const { architecture, created, description, id, name } = card
        return data({
          id,
          name,
          created,
          description,
          architecture: { ...architecture, tokenizer: architecture.tokenizer ?? null },
          endpoints
        })
      })
    ),
    zdrEndpoints: answering(() => Effect.flatMap(listing.zdrEndpoints, data)),
    providers: answering(() => Effect.flatMap(listing.providers, data)),
    videoModels: answering(() => Effect.flatMap(listing.videoModels, data))
  } satisfies Handlers<typeof CatalogApi>
})

const data = (value: unknown): Effect.Effect<Entity, never, Digest.Digest> =>
  textEntity(JSON.stringify({ data: value }), json)

const slugOf = ({ params }: Asked): string => `${params["author"]}/${params["slug"]}`

const json = "application/json"

/** At most 32 MiB in all. */
const keptAnswers = 16
const keptBytes = 2_097_152

/** As long as an order by what is measured lasts. */
const keptFor = Duration.seconds(1)

/** An alias has a card of its own, which says whom it means today. */
const cardOf = ({ alias, model }: Resolved) =>
  alias === undefined
    ? cardJson(model)
    : jsonOf({ ...model.card, id: alias, alias_target: { name: model.name, slug: model.id } })

/** The path of the next page, with everything the request asked for. */
const nextOf = (
  { mount, path, query }: Address,
  { limit, offset }: Page,
  total: number
): string | null => {
  if (limit === undefined || offset + limit >= total) return null
  const asked = queryOf(query)
  asked.set("offset", String(offset + limit))
  asked.set("limit", String(limit))
  return `${mount}${path}?${asked}`
}

const queryOf = (parameters: Parameters): URLSearchParams => {
  const query = new URLSearchParams()
  for (const [name, given = []] of Object.entries(parameters)) {
    for (const value of typeof given === "string" ? [given] : given) query.append(name, value)
  }
  return query
}
