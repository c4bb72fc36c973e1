/** Parses models from the JSON of `GET /models`. */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type * as DataPolicy from "../endpoint/DataPolicy.ts"
import type { EndpointConfig } from "../endpoint/Endpoint.ts"
import type { ModelConfig } from "../model/Model.ts"
import type { CatalogReading, SkippedEntry } from "./CatalogSource.ts"
import { CardConfig } from "../model/ModelCard.ts"
import { isObject } from "../../../values/json/guards.ts"
import { isParameterName } from "../endpoint/SupportedParameters.ts"
import { isPricePart, type PriceList } from "../endpoint/PriceList.ts"
import { findOverrideProblem } from "../endpoint/PriceOverride.ts"

/** The provider of models from a list, which names none. */
export interface ListProvider {
  /** The slug of the upstream that serves them under their names in the list. */
  readonly provider: string
  /** Its data policy; an omitted field counts as the worst case. */
  readonly data?: Partial<DataPolicy.DataPolicy>
  /** Whether zero data retention is promised; default: the provider does not retain. */
  readonly zdr?: boolean
  /** Where it runs, for example `eu`; absent: unknown. */
  readonly region?: string
  /** Accepts a listed price above 0.01 USD per token, which is usually a price per million by mistake; default: false. */
  readonly allowHighPrice?: boolean
}

/** Options for models from a list. */
export interface ModelListOptions {
  /** Adds an endpoint to every model; without it, models are only listed unless an overlay adds endpoints. */
  readonly servedBy?: ListProvider
}

/**
 * The models of `{ data: [...] }` or of the bare list. Aliases are models like the others, which their upstream
 * resolves. Throws a `RangeError` that names the invalid field.
 */
export const parseModelList = (
  json: unknown,
  options: ModelListOptions = {}
): ReadonlyArray<ModelConfig> =>
  getEntries(json).map((entry, place) => parseEntry(entry, place, options))

/** Like `parseModelList`, without the invalid entries. Throws a `RangeError` if there is no list. */
export const parseCatalogReading = (
  json: unknown,
  options: ModelListOptions = {}
): CatalogReading => {
  const models: Array<ModelConfig> = []
  const skipped: Array<SkippedEntry> = []
  for (const [place, entry] of getEntries(json).entries()) {
    try {
      models.push(parseEntry(entry, place, options))
    } catch (cause) {
      if (!(cause instanceof RangeError)) throw cause
      const id = getField(entry, "id")
      skipped.push({
        model: typeof id === "string" && id !== "" ? id : `data[${place}]`,
        problem: cause.message
      })
    }
  }
  return { models, skipped }
}

const getEntries = (json: unknown): ReadonlyArray<unknown> => {
  const list: unknown = Array.isArray(json) ? json : getField(json, "data")
  if (Array.isArray(list)) return list
  throw new RangeError('expected a list of models, or an object with one in "data"')
}

const parseEntry = (entry: unknown, place: number, { servedBy }: ModelListOptions): ModelConfig => {
  const id = getField(entry, "id")
  if (typeof id !== "string" || id === "") throw new RangeError(`data[${place}].id is no name`)
  return toModelConfig(id, Object(entry), servedBy)
}

const toModelConfig = (
  id: string,
  entry: object,
  servedBy: ListProvider | undefined
): ModelConfig => {
  const { created, name, ...stated }: Record<string, unknown> = { ...entry }
  const { pricing } = stated
  if (isObject(pricing) && Array.isArray(pricing["overrides"])) {
    // Under a condition that is unknown here, another price must not apply always.
    const overrides = pricing["overrides"].filter((each) => findOverrideProblem(each) === undefined)
    stated["pricing"] = { ...pricing, overrides }
  }
  if (name !== undefined && typeof name !== "string")
    throw new RangeError(`"${id}": name is no text`)
  if (created !== undefined && typeof created !== "number") {
    throw new RangeError(`"${id}": created is no number`)
  }
  // Unknown fields are dropped, because lists gain fields over time.
  const card = Result.getOrThrowWith(
    decodeCard(stated),
    (error) => new RangeError(`"${id}": card: ${error.message}`)
  )
  return {
    id,
    ...(name === undefined ? undefined : { name }),
    ...(created === undefined ? undefined : { created }),
    card,
    endpoints: servedBy === undefined ? [] : [toEndpointConfig(card, servedBy)]
  }
}

const decodeCard = Schema.decodeUnknownResult(CardConfig, { onExcessProperty: "ignore" })

const toEndpointConfig = (
  { context_length, pricing, supported_parameters, top_provider }: CardConfig,
  servedBy: ListProvider
): EndpointConfig => {
  const contextLength = top_provider?.context_length ?? context_length
  const maxCompletionTokens = top_provider?.max_completion_tokens
  const otherParameters = supported_parameters?.filter((name) => !isParameterName(name)) ?? []
  return {
    ...servedBy,
    price: toEndpointPrice(pricing ?? {}),
    // Servers of this API return 0 for unknown.
    ...(contextLength ? { contextLength } : undefined),
    ...(maxCompletionTokens ? { maxCompletionTokens } : undefined),
    // An empty list of parameters means unknown too.
    ...(supported_parameters?.length
      ? { supportedParameters: supported_parameters.filter(isParameterName) }
      : undefined),
    ...(otherParameters.length === 0 ? undefined : { otherParameters })
  }
}

/** A list states the prices that are charged, so its discount has been taken off. */
const toEndpointPrice = ({
  overrides,
  ...pricing
}: NonNullable<CardConfig["pricing"]>): PriceList => ({
  ...Object.fromEntries(Object.entries(pricing).filter(([name]) => isPricePart(name))),
  ...(overrides === undefined || overrides.length === 0 ? undefined : { overrides })
})

const getField = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined
