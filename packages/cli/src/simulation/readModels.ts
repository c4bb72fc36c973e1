/** Reads models with endpoints and prices from a file, or from a running instance. */
import type { SimulatedModel } from "@signalbox/core/simulator"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Schema from "effect/Schema"
import { findJson } from "../instance/askInstance.ts"
import type { Instance } from "../instance/instanceFlags.ts"
import { showProgress } from "../output/progress.ts"
import { usageError } from "../usageError.ts"

const Price = Schema.Record(Schema.String, Schema.Unknown)
/** Other fields are kept: the core checks them. */
const Config = Schema.Struct({
  id: Schema.String,
  endpoints: Schema.Array(
    Schema.StructWithRest(Schema.Struct({ provider: Schema.String }), [Price])
  )
})
const OneModel = Schema.Struct({
  model: Schema.String,
  endpoints: Schema.Array(Schema.Struct({ id: Schema.String, price: Price }))
})
const ModelsFile = Schema.fromJsonString(
  Schema.Union([Schema.Array(Config), Schema.Struct({ models: Schema.Array(Config) }), OneModel])
)

const example = `[{ "id": "acme/talker", "endpoints": [{ "provider": "alpha", "price": { "prompt": "0.000001", "completion": "0.000002" } }] }]`

/**
 * A list of models as in the options of an instance, also in `models`; or `{ model, endpoints: [{ id, price }] }`, where an
 * `id` is the tag of an endpoint.
 */
export const readModelsFile = Effect.fnUntraced(function* (path: string) {
  const files = yield* FileSystem.FileSystem
  const text = yield* Effect.mapError(files.readFileString(path), (error) =>
    usageError(`Could not read ${path}: ${error.message}`, error)
  )
  const file = yield* Effect.mapError(Schema.decodeUnknownEffect(ModelsFile)(text), (error) =>
    usageError(`${path} has no models with endpoints. Expected, for example: ${example}`, error)
  )
  if ("model" in file) {
    const endpoints = file.endpoints.map(({ id, price }) => toEndpoint(id, price))
    return [{ id: file.model, endpoints }]
  }
  const models = "models" in file ? file.models : file
  // The core checks every field of an endpoint, and says which one is wrong.
  return models
})

const PublicEndpoints = Schema.Struct({
  data: Schema.Struct({
    endpoints: Schema.Array(Schema.Struct({ tag: Schema.String, pricing: Price }))
  })
})

/** The endpoints of the models that a recording names, as the instance lists them. */
export const downloadModels = Effect.fnUntraced(function* (
  instance: Instance,
  ids: ReadonlyArray<string>
) {
  const models: Array<SimulatedModel> = []
  for (const id of ids) {
    showProgress(`Reading the endpoints of ${id}`)
    const path = `/models/${id.split("/").map(encodeURIComponent).join("/")}/endpoints`
    const found = yield* findJson(instance, path, PublicEndpoints)
    // The simulation leaves out the traffic of a removed model, and reports that.
    if (found === undefined) continue
    models.push({
      id,
      endpoints: found.data.endpoints.map(({ pricing, tag }) => toEndpoint(tag, pricing))
    })
  }
  return models
})

/** `-1` stands for an unknown price in lists. */
const toEndpoint = (
  tag: string,
  price: Readonly<Record<string, unknown>>
): SimulatedModel["endpoints"][number] => {
  const [provider = tag, ...variant] = tag.split("/")
  return {
    provider,
    ...(variant.length === 0 ? undefined : { variant: variant.join("/") }),
    price: Object.fromEntries(Object.entries(price).filter(([, usd]) => usd !== "-1")),
    // Every price is allowed, because the instance charges it.
    allowHighPrice: true
  }
}
