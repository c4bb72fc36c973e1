/** The rerank capability of an upstream. */
import type * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import type * as Redacted from "effect/Redacted"
import type { NanoUsd } from "../../values/usage/NanoUsd.ts"
import type { TokenUsage } from "../../values/usage/TokenUsage.ts"
import type { UpstreamFailure } from "./failures/UpstreamFailure.ts"

/** One rerank at one endpoint of an upstream. */
export interface RerankCall {
  /** The model's name at the upstream. */
  readonly model: string
  readonly query: string
  /** At least one, from the untrusted caller. */
  readonly documents: ReadonlyArray<RerankDocument>
  /** How many results to return, 1 to the number of documents. */
  readonly topN: number
  /** Other parameters, unchanged from the caller: those that the endpoint supports, or all when it has no list. */
  readonly parameters: Readonly<Record<string, unknown>>
  /** The customer's own credential; absent: the host's is used. */
  readonly credential?: Redacted.Redacted
}

/** A text, an image (an `https:` or `data:` address), or both; at least one of them. */
export interface RerankDocument {
  readonly text?: string
  readonly image?: string
}

/** How relevant one document is. */
export interface RerankResult {
  /** The place of the document in the call, from 0. */
  readonly index: number
  /** Higher is more relevant; comparable only with scores of the same model. */
  readonly score: number
}

/** The results, and the usage. */
export interface RerankReply {
  /** `topN` or more, in any order. The core refuses an index out of range or repeated, sorts, and cuts. */
  readonly results: ReadonlyArray<RerankResult>
  /** Absent: not reported, so the core estimates it. Search units are `requests`. */
  readonly usage?: TokenUsage
  /** The search units that the upstream bills; absent: not reported. */
  readonly searchUnits?: number
  /** The cost that the upstream reports. */
  readonly cost?: NanoUsd
  /** The dated name of the model that answered; absent: not reported. */
  readonly model?: string
  /** The upstream's id of the answer, for its support. */
  readonly id?: string
}

/**
 * Reranks documents. Each call sends one request, because retries and fallbacks belong to the router. An interruption must
 * abort the request.
 */
export interface RerankCapability {
  readonly rerank: (
    call: RerankCall
  ) => Effect.Effect<RerankReply, UpstreamFailure, HttpClient.HttpClient>
  /**
   * It uses the host's own credential only and ignores `credential` of a call, so customers' credentials are not
   * used. Absent: it uses `credential`.
   */
  readonly ignoresCredentials?: true
  /**
   * It rejects a call with an unsupported parameter instead of ignoring the parameter, so an endpoint without a list
   * of parameters satisfies `require_parameters`. Absent: it may ignore some.
   */
  readonly checksParameters?: true
  /** The maximum usage of the call, which is reserved before it. */
  readonly estimateWorstCase: (call: RerankCall) => TokenUsage
}
