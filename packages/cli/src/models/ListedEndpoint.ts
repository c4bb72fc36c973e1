/** The endpoints of a model, as `GET /api/v1/models/{author}/{slug}/endpoints` lists them. */
import { type EndpointConfig, parseModelList, Quantization } from "@signalbox/core/catalog"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { usageError } from "../usageError.ts"
import { type CatalogServer, fetchJson } from "./fetchJson.ts"

const Tokens = Schema.optionalKey(Schema.NullOr(Schema.Finite))

export const ListedEndpoint = Schema.Struct({
  /** The provider, and a variant after a slash. */
  tag: Schema.NonEmptyString,
  pricing: Schema.Record(Schema.String, Schema.Unknown),
  context_length: Tokens,
  max_prompt_tokens: Tokens,
  max_completion_tokens: Tokens,
  quantization: Schema.optionalKey(Schema.NullOr(Schema.String)),
  supported_parameters: Schema.optionalKey(Schema.NullOr(Schema.Array(Schema.String))),
  supports_implicit_caching: Schema.optionalKey(Schema.NullOr(Schema.Boolean)),
  supports_voice_cloning: Schema.optionalKey(Schema.NullOr(Schema.Boolean))
})
export type ListedEndpoint = typeof ListedEndpoint.Type

const decodeEndpoints = Schema.decodeUnknownEffect(
  Schema.Struct({ data: Schema.Struct({ endpoints: Schema.Array(ListedEndpoint) }) })
)

/** Fails with what to do. */
export const downloadEndpoints = Effect.fnUntraced(function* (server: CatalogServer, id: string) {
  const json = yield* fetchJson(server, `/models/${toPath(id)}/endpoints`)
  const { data } = yield* Effect.mapError(decodeEndpoints(json), (error) =>
    usageError(`${server.url} lists the endpoints of ${id} in an unknown form`, error)
  )
  return data.endpoints
})

/** Later slashes are part of the slug. */
const toPath = (id: string): string => {
  const [author = "", ...slug] = id.split("/")
  return `${encodeURIComponent(author)}/${encodeURIComponent(slug.join("/"))}`
}

const isQuantization = Schema.is(Quantization)

/** Its prices stay as they are written. Throws a `RangeError` for what a catalog cannot have. */
export const toEndpointConfig = (id: string, listed: ListedEndpoint): EndpointConfig => {
  const [provider = "", ...variant] = listed.tag.split("/")
  const entry = {
    id,
    pricing: listed.pricing,
    context_length: listed.context_length,
    top_provider: { max_completion_tokens: listed.max_completion_tokens },
    supported_parameters: listed.supported_parameters
  }
  const [model] = parseModelList([dropUndefined(entry)], { servedBy: { provider } })
  const { max_prompt_tokens: maxPromptTokens, quantization } = listed
  if (quantization != null && !isQuantization(quantization)) {
    throw new RangeError(`the quantization "${quantization}" is unknown`)
  }
  return {
    ...(model?.endpoints?.[0] ?? { provider, price: {} }),
    ...(variant.length === 0 ? undefined : { variant: variant.join("/") }),
    ...(maxPromptTokens ? { maxPromptTokens } : undefined),
    ...(quantization == null || quantization === "unknown" ? undefined : { quantization }),
    ...(listed.supports_implicit_caching === true ? { implicitCaching: true } : undefined),
    ...(listed.supports_voice_cloning === true ? { speech: { voiceCloning: true } } : undefined)
  }
}

const dropUndefined = (fields: Readonly<Record<string, unknown>>): unknown =>
  JSON.parse(JSON.stringify(fields))
