/** Completes models by a price book: what the host states stays as it is. */
import type { EndpointConfig } from "../endpoint/Endpoint.ts"
import { isObject } from "../../../values/json/guards.ts"
import { omitUndefined } from "../../../values/ownFields.ts"
import type { ModelConfig } from "../model/Model.ts"
import {
  findListedModel,
  findListedModels,
  isWildcard,
  type ListedUpstream,
  type NamedModel,
  removeAuthor
} from "./expandWildcards.ts"
import type { ListedModel, PriceBook } from "./PriceBook.ts"

/** An endpoint that states no price, at an upstream that is listed, but not with such a model. */
export interface UnlistedEndpoint {
  readonly model: string
  readonly provider: string
  /** The model's name at the provider. */
  readonly name: string
}

/** Models, and what no price was found for. */
export interface CompletedModels {
  readonly models: ReadonlyArray<ModelConfig>
  /** How many endpoints have the price of the book. */
  readonly completed: number
  readonly unlisted: ReadonlyArray<UnlistedEndpoint>
}

/** Whether a price book is of use: a model stands for many, or an endpoint of a listed upstream has no price. */
export const needsPrices = (
  models: ReadonlyArray<ModelConfig>,
  upstreams: ReadonlyArray<ListedUpstream>
): boolean => {
  const listed = new Set(
    upstreams.flatMap(({ listedAs, slug }) => (listedAs === undefined ? [] : [slug]))
  )
  return models.some(
    (model) =>
      isWildcard(model) ||
      listEndpoints(model).some((each) => isPriceless(each) && listed.has(each.provider))
  )
}

/**
 * An endpoint without a `price` gets the price and the limits that the book has of its model. A model gets its name, its
 * age, its family and its modalities from the first such endpoint. Also says what providers call the models of their own.
 */
export const completeModels = (
  models: ReadonlyArray<ModelConfig>,
  upstreams: ReadonlyArray<ListedUpstream>,
  book: PriceBook | undefined
): CompletedModels => {
  const bySlug = new Map(upstreams.map((upstream) => [upstream.slug, upstream]))
  const unlisted: Array<UnlistedEndpoint> = []
  let completed = 0
  const complete = (model: ModelConfig): ModelConfig => {
    const isListed = listEndpoints(model).some(
      ({ provider }) => bySlug.get(provider)?.listedAs !== undefined
    )
    if (model.endpoints === undefined || !isListed) return model
    let first: ListedModel | undefined
    const endpoints = model.endpoints.map((endpoint) => {
      const upstream = bySlug.get(endpoint?.provider)
      if (upstream?.listedAs === undefined) return endpoint
      const name = endpoint.model ?? model.id
      const listedModels = findListedModels(book, upstream.listedAs)
      const found = listedModels === undefined ? undefined : findListedModel(listedModels, name)
      if (!isPriceless(endpoint)) return nameAtProvider(endpoint, model.id, upstream)
      const named = nameAtProvider(endpoint, model.id, upstream, found?.name)
      if (found === undefined) {
        unlisted.push({ model: model.id, provider: upstream.slug, name: named.model ?? name })
        return named
      }
      completed += 1
      first ??= found.listed
      return completeEndpoint(named, found, upstream)
    })
    return first === undefined
      ? { ...model, endpoints }
      : completeModel({ ...model, endpoints }, first)
  }
  return { models: models.map(complete), completed, unlisted }
}

/** Models of a list may be anything. */
const listEndpoints = (model: ModelConfig): ReadonlyArray<EndpointConfig> =>
  isObject(model) && Array.isArray(model.endpoints)
    ? model.endpoints.filter((endpoint: EndpointConfig) => isObject(endpoint))
    : []

const isPriceless = (endpoint: EndpointConfig): boolean =>
  isObject(endpoint) && endpoint.price === undefined

const nameAtProvider = (
  endpoint: EndpointConfig,
  id: string,
  { authors = [] }: ListedUpstream,
  listedName?: string
): EndpointConfig => {
  if (endpoint.model !== undefined) return endpoint
  const isOwn = authors.some((author) => id.startsWith(`${author}/`))
  const name = listedName ?? (isOwn ? removeAuthor(id) : id)
  return name === id ? endpoint : { ...endpoint, model: name }
}

const completeEndpoint = (
  endpoint: EndpointConfig,
  { listed, name }: NamedModel,
  { listParameters }: ListedUpstream
): EndpointConfig => {
  const { contextLength, maxCompletionTokens, maxPromptTokens, price } = listed
  const supportedParameters =
    endpoint.otherParameters === undefined ? listParameters?.(name) : undefined
  return {
    ...omitUndefined({ contextLength, maxCompletionTokens, maxPromptTokens, supportedParameters }),
    ...omitUndefined(endpoint),
    price
  }
}

const completeModel = (
  model: ModelConfig,
  { created, family, inputs, name, outputs }: ListedModel
): ModelConfig => {
  const architecture = {
    ...omitUndefined({ input_modalities: inputs, output_modalities: outputs }),
    ...model.card?.architecture
  }
  return {
    ...omitUndefined({ created, family, name }),
    ...model,
    card: { ...model.card, architecture }
  }
}
