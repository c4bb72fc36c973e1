/** Reads models from JSON in this wire's own shape: what `GET /models` answers. */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type * as DataPolicy from "../endpoint/DataPolicy.ts"
import type { EndpointConfig } from "../endpoint/Endpoint.ts"
import type { ModelConfig } from "../model/Model.ts"
import { CardConfig } from "../model/ModelCard.ts"
import { isParameterName } from "../endpoint/parameterNames.ts"
import { isPricePart } from "../endpoint/Price.ts"

/** Who serves models that come as a list: it names none. */
export interface ListProvider {
  /** Slug of the upstream that takes them by the names the list has. */
  readonly provider: string
  /** What it does with the data; what is not said counts as done. */
  readonly data?: Partial<DataPolicy.DataPolicy>
  /** Whether zero data retention is promised; default: the provider does not retain. */
  readonly zdr?: boolean
  /** Where it runs, such as `eu`; absent means nobody says. */
  readonly region?: string
}

/** What such a list does not say. */
export interface ModelListOptions {
  /** Gives every model an endpoint; without it they are listed, and served where an overlay says so. */
  readonly servedBy?: ListProvider
}

/**
 * The models of `{ data: [...] }` or of the bare list; aliases among them are models like the others,
 * which whoever serves them resolves. Throws a `RangeError` naming the place that is not of this shape.
 */
export const parseModelList = (
  json: unknown,
  { servedBy }: ModelListOptions = {}
): ReadonlyArray<ModelConfig> => {
  const list: unknown = Array.isArray(json) ? json : getField(json, "data")
  if (!Array.isArray(list)) {
    throw new RangeError('expected a list of models, or an object with one in "data"')
  }
  return list.map((entry: unknown, place) => {
    const id = getField(entry, "id")
    if (typeof id !== "string" || id === "") throw new RangeError(`data[${place}].id is no name`)
    return toModelConfig(id, Object(entry), servedBy)
  })
}

const toModelConfig = (
  id: string,
  entry: object,
  servedBy: ListProvider | undefined
): ModelConfig => {
  const { created, name, ...stated }: Readonly<Record<string, unknown>> = { ...entry }
  if (name !== undefined && typeof name !== "string")
    throw new RangeError(`"${id}": name is no text`)
  if (created !== undefined && typeof created !== "number") {
    throw new RangeError(`"${id}": created is no number`)
  }
  // A list may say more than is known here, and says more from year to year: that is left out.
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
    price: Object.fromEntries(Object.entries(pricing ?? {}).filter(([name]) => isPricePart(name))),
    // What a list says is not this host's slip.
    allowHighPrice: true,
    // 0 is what servers of this wire say for what nobody knows.
    ...(contextLength ? { contextLength } : undefined),
    ...(maxCompletionTokens ? { maxCompletionTokens } : undefined),
    // Nor do they know any parameters, where they list none.
    ...(supported_parameters?.length
      ? { supportedParameters: supported_parameters.filter(isParameterName) }
      : undefined),
    ...(otherParameters.length === 0 ? undefined : { otherParameters })
  }
}

const getField = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined
