/** An upstream provider, which the host passes to `make`. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import type { ChatCapability } from "./ChatCapability.ts"
import type { DecisionCapability } from "./DecisionCapability.ts"
import type { EmbeddingCapability } from "./EmbeddingCapability.ts"
import type { ImageCapability } from "./ImageCapability.ts"
import type { RerankCapability } from "./RerankCapability.ts"
import type { SpeechCapability } from "./SpeechCapability.ts"
import type { TranscriptionCapability } from "./TranscriptionCapability.ts"
import type { VideoCapability } from "./VideoCapability.ts"
import type { UpstreamFailure } from "./failures/UpstreamFailure.ts"
import type { UpstreamRequest } from "./transport/UpstreamRequest.ts"
import { getJson } from "./transport/jsonRequests.ts"

/** A provider of models, with at least one of the capabilities. */
export interface Upstream {
  /** The provider's name in `only`, `ignore`, `order` and the endpoints of the catalog. */
  readonly slug: string
  /** The display name, shown as `provider` in answers. */
  readonly name: string
  /**
   * Its id in public lists such as https://models.dev, by which prices are found. Absent: it is not at the provider's own
   * address, so no public price holds.
   */
  readonly listedAs?: string
  /** The authors whose models it calls by their names alone: `gpt-5-mini` for `openai/gpt-5-mini`. Absent: none. */
  readonly authors?: ReadonlyArray<string>
  /** The parameters that a model supports, for endpoints that are completed and list none. Undefined: unknown. */
  readonly listParameters?: (model: string) => ReadonlyArray<string> | undefined
  /** Shown by `GET /providers`. */
  readonly metadata?: ProviderMetadata
  readonly decisions?: DecisionCapability
  readonly videos?: VideoCapability
  readonly chat?: ChatCapability
  readonly embeddings?: EmbeddingCapability
  readonly rerank?: RerankCapability
  readonly speech?: SpeechCapability
  readonly transcription?: TranscriptionCapability
  readonly images?: ImageCapability
  /** For diagnostics, such as `signalbox doctor`. */
  readonly probe?: UpstreamProbe
}

/** The service of a provider that is built as a layer; each layer in `upstreams` provides one. */
export const Upstream: Context.Service<Upstream, Upstream> = Context.Service(
  "@signalbox/core/engine/upstreams/Upstream"
)

/** Public facts about a provider; absent: unknown. */
export interface ProviderMetadata {
  readonly privacyPolicyUrl?: string
  readonly termsOfServiceUrl?: string
  readonly statusPageUrl?: string
  /** Two-letter country code. */
  readonly headquarters?: string
  /** Two-letter country codes. */
  readonly datacenters?: ReadonlyArray<string>
}

/** For diagnostics; routing never uses it. */
export interface UpstreamProbe {
  /** The requested URL without its query or secrets, such as `https://api.openai.com/v1/models`. */
  readonly url: string
  /** Whether the host has a credential, which the request has. */
  readonly hasCredential: boolean
  /** Any success means that the provider answers, and that it takes the credential if there is one. */
  readonly run: Effect.Effect<unknown, UpstreamFailure, HttpClient.HttpClient>
}

/** Gets JSON from `request.url`, such as the list of models. */
export const makeProbe = (request: UpstreamRequest): UpstreamProbe => {
  const { host, pathname, protocol } = new URL(request.url)
  return {
    url: `${protocol}//${host}${pathname}`,
    hasCredential: request.apiKey !== undefined || request.signer !== undefined,
    run: getJson(request)
  }
}
