/** Replaces models such as `openai/*` by those that the price book has. */
import { isObject } from "../../../values/json/guards.ts"
import type { Upstream } from "../../upstreams/Upstream.ts"
import type { EndpointConfig } from "../endpoint/Endpoint.ts"
import type { ModelConfig } from "../model/Model.ts"
import type { ListedModel, PriceBook } from "./PriceBook.ts"

/** Whether the id stands for many models. */
export const isWildcard = (model: ModelConfig): boolean =>
  isObject(model) && typeof model.id === "string" && model.id.endsWith("*")

/**
 * Each wildcard becomes the models of its endpoints' providers whose ids begin like it, in the order of the book, at its
 * place in the list. A model that the list names, or that an earlier wildcard has, stays as it is. Throws a
 * `RangeError` for a wildcard that stands for nothing; with `onInvalid`, it is left out instead.
 */
export const expandWildcards = (
  models: ReadonlyArray<ModelConfig>,
  upstreams: ReadonlyArray<ListedUpstream>,
  book: PriceBook | undefined,
  onInvalid?: (model: ModelConfig, cause: RangeError) => void
): ReadonlyArray<ModelConfig> => {
  if (!models.some(isWildcard)) return models
  const taken = new Set(models.filter((model) => !isWildcard(model)).map((model) => model?.id))
  return models.flatMap((model, index) => {
    if (!isWildcard(model)) return [model]
    try {
      const found = expand(model, upstreams, book, `models.${index}: model "${model.id}"`)
      const added = found.filter(({ id }) => !taken.has(id))
      for (const { id } of added) taken.add(id)
      return added
    } catch (cause) {
      if (onInvalid === undefined || !(cause instanceof RangeError)) throw cause
      onInvalid(model, cause)
      return []
    }
  })
}

const expand = (
  { endpoints, id: pattern, ...shared }: ModelConfig,
  upstreams: ReadonlyArray<ListedUpstream>,
  book: PriceBook | undefined,
  path: string
): ReadonlyArray<ModelConfig> => {
  const [author = "", start = "", ...rest] = pattern.slice(0, -1).split("/")
  if (
    author === "" ||
    rest.length > 0 ||
    !pattern.includes("/") ||
    pattern.indexOf("*") < pattern.length - 1
  ) {
    throw new RangeError(
      `${path}: a wildcard is an author and the start of a name, such as "openai/*"`
    )
  }
  if (shared.aliases !== undefined) {
    throw new RangeError(
      `${path}: a wildcard cannot have aliases; give them to one of its models in the overlay`
    )
  }
  if (!Array.isArray(endpoints) || endpoints.length === 0) {
    throw new RangeError(`${path}: it has no endpoint; name the provider of its models`)
  }
  const byId = new Map<string, Array<EndpointConfig>>()
  for (const endpoint of endpoints) {
    for (const { id, name } of listMatches(endpoint, author, start, upstreams, book, path)) {
      const known = byId.get(id)
      const named = { ...endpoint, model: name }
      if (known === undefined) byId.set(id, [named])
      else known.push(named)
    }
  }
  if (byId.size === 0) {
    throw new RangeError(
      `${path}: the prices have no such model of its providers; list its models by their ids`
    )
  }
  return Array.from(byId, ([id, named]) => ({ ...shared, id, endpoints: named }))
}

const listMatches = (
  endpoint: EndpointConfig,
  author: string,
  start: string,
  upstreams: ReadonlyArray<ListedUpstream>,
  book: PriceBook | undefined,
  path: string
): ReadonlyArray<{ readonly id: string; readonly name: string }> => {
  if (endpoint?.model !== undefined) {
    throw new RangeError(`${path}: an endpoint of a wildcard cannot name a model; leave model out`)
  }
  const upstream = upstreams.find(({ slug }) => slug === endpoint?.provider)
  // The configuration says that it is missing.
  if (upstream === undefined) return [{ id: `${author}/${start}*`, name: start }]
  const models = findListedModels(book, upstream.listedAs)
  if (models === undefined) {
    throw new RangeError(
      `${path}: the models of the provider "${upstream.slug}" are not known, because ${describeUnknown(
        book,
        upstream
      )}; list its models`
    )
  }
  return Object.entries(models).flatMap(([name, { isDeprecated = false }]) => {
    const id = name.includes("/") ? name : `${author}/${name}`
    return !isDeprecated && id.startsWith(`${author}/${start}`) ? [{ id, name }] : []
  })
}

const describeUnknown = (book: PriceBook | undefined, { listedAs }: ListedUpstream): string => {
  if (book === undefined) return "there are no prices"
  return listedAs === undefined ? "it is at an address of your own" : "the list does not have it"
}

/** What completes the endpoints of an upstream. */
export type ListedUpstream = Pick<Upstream, "authors" | "listedAs" | "listParameters" | "slug">

/** A listed model, and the provider's name for it. */
export interface NamedModel {
  readonly name: string
  readonly listed: ListedModel
}

/** The models of the provider; undefined: the upstream is at another address, or the book does not have it. */
export const findListedModels = (
  book: PriceBook | undefined,
  listedAs: Upstream["listedAs"]
): PriceBook["providers"][string] | undefined =>
  book !== undefined && listedAs !== undefined && Object.hasOwn(book.providers, listedAs)
    ? book.providers[listedAs]
    : undefined

/**
 * `name` is the model's name at the provider, or the id of the model: `openai/gpt-5-mini` is `gpt-5-mini` at OpenAI, and
 * `openai/gpt-oss-120b` is called that at Groq.
 */
export const findListedModel = (
  models: PriceBook["providers"][string],
  name: string
): NamedModel | undefined => {
  for (const candidate of [name, removeAuthor(name)]) {
    const listed = Object.hasOwn(models, candidate) ? models[candidate] : undefined
    if (listed !== undefined) return { name: candidate, listed }
  }
  return undefined
}

export const removeAuthor = (id: string): string => id.slice(id.indexOf("/") + 1)
