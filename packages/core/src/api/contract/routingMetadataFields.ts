/** Routing metadata in responses and errors, which clients request by header. */
import * as Schema from "effect/Schema"

export const RoutingMetadata = Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown))

export const routingHeaders = {
  /** `enabled` adds routing metadata to the response, as does `X-OpenRouter-Metadata`. */
  "x-signalbox-metadata": Schema.optionalKey(Schema.String)
}

export const routingMetadataFields = {
  service_metadata: Schema.optionalKey(RoutingMetadata),
  openrouter_metadata: Schema.optionalKey(RoutingMetadata)
}
