/** Routing metadata beside an answer. */

/** How the request was routed, for calls with the header `x-signalbox-metadata: enabled`. */
export interface WithRoutingMetadata {
  readonly service_metadata?: Readonly<Record<string, unknown>> | null
  readonly openrouter_metadata?: Readonly<Record<string, unknown>> | null
}
