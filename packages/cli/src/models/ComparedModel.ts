/** What two catalogs are compared by: the prices, lengths and parameters of a model, by the names of fields. */
import {
  type Endpoint,
  makeConfiguration,
  makePrice,
  type Model,
  type ModelConfig,
  parseModelList,
  type PriceList,
  toPriceList
} from "@signalbox/core/catalog"
import * as Result from "effect/Result"
import { type ListedEndpoint, toEndpointConfig } from "./ListedEndpoint.ts"
import { toReason } from "./toReason.ts"
import { describeEntry, type Listing } from "./readListing.ts"

/** Values by field, such as `pricing.prompt` and `endpoints.acme/eu.context_length`. */
export type ComparedModel = ReadonlyMap<string, string>

export interface ComparedCatalog {
  readonly models: ReadonlyMap<string, ComparedModel>
  /** What cannot be compared, with reasons. */
  readonly unreadable: ReadonlyArray<{ readonly model: string; readonly reason: string }>
}

/** The endpoints of listed models, by model. */
export type EndpointsByModel = ReadonlyMap<
  string,
  Result.Result<ReadonlyArray<ListedEndpoint>, string>
>

/** A list as `GET /api/v1/models` answers; `endpoints` undefined: they are not compared. */
export const compareListing = (
  listing: Listing,
  endpoints: EndpointsByModel | undefined
): ComparedCatalog =>
  compareEach(listing, (entry, name) => {
    const [model] = parseModelList([entry])
    if (model === undefined) throw new RangeError("it is empty")
    // A model that is only listed needs a price, and a list may have none for it.
    const priced = { ...model, card: { ...model.card, pricing: model.card?.pricing ?? {} } }
    if (endpoints === undefined) return toFields(makeModel(priced), false)
    const listed = endpoints.get(name) ?? Result.fail("its endpoints were not read")
    if (Result.isFailure(listed)) throw new RangeError(listed.failure)
    const configs = listed.success.map((endpoint) => toEndpointConfig(name, endpoint))
    return toFields(makeModel({ ...priced, endpoints: configs }), true)
  })

/** Models as in the options of an instance. */
export const compareModels = (
  models: ReadonlyArray<unknown>,
  options: {
    readonly endpoints: boolean
    /** Whether hidden models, which no server lists, take part. */
    readonly hidden: boolean
  }
): ComparedCatalog =>
  compareEach(models, (config) => {
    // The core checks every field.
    const model = makeModel(config as ModelConfig)
    return model.hidden && !options.hidden ? undefined : toFields(model, options.endpoints)
  })

const compareEach = (
  entries: ReadonlyArray<unknown>,
  compare: (entry: unknown, name: string) => ComparedModel | undefined
): ComparedCatalog => {
  const models = new Map<string, ComparedModel>()
  const unreadable: Array<{ readonly model: string; readonly reason: string }> = []
  for (const [index, entry] of entries.entries()) {
    const name = describeEntry(entry, index)
    try {
      const compared = compare(entry, name)
      if (compared !== undefined) models.set(name, compared)
    } catch (error) {
      unreadable.push({ model: name, reason: toReason(error) })
    }
  }
  return { models, unreadable }
}

/** Throws a `RangeError` for an invalid model. Its upstreams need not be there. */
const makeModel = (config: ModelConfig): Model => {
  const providers = new Set(
    Array.isArray(config?.endpoints) ? config.endpoints.flatMap(toProvider) : []
  )
  const { models } = makeConfiguration(
    1,
    Array.from(providers, (slug) => ({ slug, name: slug })),
    [config]
  )
  const [model] = models
  if (model === undefined) throw new RangeError("it is empty")
  return model
}

const toProvider = (endpoint: { readonly provider?: unknown } | null): ReadonlyArray<string> =>
  typeof endpoint?.provider === "string" && endpoint.provider !== "" ? [endpoint.provider] : []

const toFields = ({ card, endpoints }: Model, withEndpoints: boolean): ComparedModel =>
  new Map([
    ...listPrices("pricing", card.pricing),
    ["context_length", toText(card.context_length)],
    ["max_completion_tokens", toText(card.top_provider.max_completion_tokens)],
    ...listParameters("parameters", card.supported_parameters),
    ...(withEndpoints ? endpoints.flatMap(listEndpointFields) : [])
  ])

type Field = readonly [name: string, value: string]

const listEndpointFields = (endpoint: Endpoint): ReadonlyArray<Field> => {
  const path = `endpoints.${endpoint.tag}`
  return [
    [path, "there"],
    ...listPrices(`${path}.pricing`, toPriceList(endpoint.price)),
    [`${path}.context_length`, toText(endpoint.contextLength)],
    [`${path}.max_completion_tokens`, toText(endpoint.maxCompletionTokens)],
    ...listParameters(`${path}.parameters`, Array.from(endpoint.supportedParameters ?? []))
  ]
}

const toText = (tokens: number | null | undefined): string => String(tokens ?? "unknown")

/** Writes equal prices alike, although catalogs write them in several forms. The discount is taken off, or was. */
const listPrices = (path: string, list: PriceList): ReadonlyArray<Field> => {
  const { discount: _, ...prices } = list
  return Object.entries(toPriceList(makePrice(prices))).map(([part, price]) => [
    `${path}.${part}`,
    typeof price === "string" ? price : JSON.stringify(price)
  ])
}

const listParameters = (path: string, names: ReadonlyArray<string>): ReadonlyArray<Field> =>
  names.map((name) => [`${path}.${name}`, "there"])
