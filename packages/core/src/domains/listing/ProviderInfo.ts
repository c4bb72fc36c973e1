/** A provider as callers see it. */
import * as Schema from "effect/Schema"
import type { Upstream } from "../../engine/upstreams/Upstream.ts"

const Text = Schema.NullOr(Schema.String)

/** A provider as `GET /providers` returns it. */
export const ProviderInfo = Schema.Struct({
  name: Schema.String,
  slug: Schema.String,
  privacy_policy_url: Text,
  terms_of_service_url: Text,
  status_page_url: Text,
  /** Two-letter country code. */
  headquarters: Text,
  /** Two-letter country codes. */
  datacenters: Schema.NullOr(Schema.Array(Schema.String))
})
export type ProviderInfo = typeof ProviderInfo.Type

export const make = ({ metadata = {}, name, slug }: Upstream): ProviderInfo => ({
  name,
  slug,
  privacy_policy_url: metadata.privacyPolicyUrl ?? null,
  terms_of_service_url: metadata.termsOfServiceUrl ?? null,
  status_page_url: metadata.statusPageUrl ?? null,
  headquarters: metadata.headquarters ?? null,
  datacenters: metadata.datacenters ?? null
})
