/** How a request was routed, as the contract has it: asked for by header, told beside the answer or the error. */
import * as Schema from "effect/Schema"

export const RoutingMetadata = Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown))

export const routingHeaders = {
  /** `enabled` adds how the request was routed; `X-OpenRouter-Metadata` does the same. */
  "x-signalbox-metadata": Schema.optionalKey(Schema.String)
}

export const routingMetadataFields = {
  service_metadata: Schema.optionalKey(RoutingMetadata),
  openrouter_metadata: Schema.optionalKey(RoutingMetadata)
}
