/** An upstream provider: what a host makes and hands to `make`. */
import * as Context from "effect/Context"
import type { ChatCapability } from "./ChatCapability.ts"
import type { DecisionCapability } from "./DecisionCapability.ts"
import type { VideoCapability } from "./VideoCapability.ts"

/** Has at least one of the three capabilities; requests that need another pass it by. */
export interface Upstream {
  /** Names the provider in `only`, `ignore`, `order` and in endpoints of the catalog. */
  readonly slug: string
  /** What answers show as `provider`. */
  readonly name: string
  /** What `GET /providers` tells of it. */
  readonly metadata?: ProviderMetadata
  readonly decisions?: DecisionCapability
  readonly videos?: VideoCapability
  readonly chat?: ChatCapability
}

/** The service of a provider that is made with a layer; each layer of `upstreams` provides one. */
export const Upstream: Context.Service<Upstream, Upstream> = Context.Service(
  "@signalbox/core/upstreams/Upstream"
)

/** What is public about a provider; absent means nobody says. */
export interface ProviderMetadata {
  readonly privacyPolicyUrl?: string
  readonly termsOfServiceUrl?: string
  readonly statusPageUrl?: string
  /** Two-letter country code. */
  readonly headquarters?: string
  /** Two-letter country codes. */
  readonly datacenters?: ReadonlyArray<string>
}
