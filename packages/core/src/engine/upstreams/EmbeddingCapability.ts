/** The embedding capability of an upstream. */
import type * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import type * as Redacted from "effect/Redacted"
import type { NanoUsd } from "../../values/usage/NanoUsd.ts"
import type { TokenUsage } from "../../values/usage/TokenUsage.ts"
import type { ChangeListener } from "./ChangeListener.ts"
import type { UpstreamFailure } from "./failures/UpstreamFailure.ts"

/** One request for embeddings at one endpoint of an upstream. */
export interface EmbeddingCall {
  /** The model's name at the upstream. */
  readonly model: string
  /** At least one, unchanged from the untrusted caller, and all of one form. */
  readonly inputs: ReadonlyArray<EmbeddingInput>
  /** The form that the caller gets. A vector in another form is converted by the core. */
  readonly encoding: VectorEncoding
  /** The length of the vectors, 1 or more; absent: the model's own. */
  readonly dimensions?: number
  /** The purpose of the vectors, such as `search_query` or `search_document`; absent: not stated. */
  readonly inputType?: string
  /** Other parameters, unchanged from the caller: those that the endpoint supports, or all when it has no list. */
  readonly parameters: Readonly<Record<string, unknown>>
  /** The customer's own credential; absent: the host's is used. */
  readonly credential?: Redacted.Redacted
  /** Receives what of the request the provider says that it ignored, before the answer is given. */
  readonly onChange?: ChangeListener
}

/** What one vector is for: a text, the ids of its tokens, or parts of several modalities. */
export type EmbeddingInput =
  | string
  | ReadonlyArray<number>
  | { readonly content: ReadonlyArray<EmbeddingPart> }

/** Such as `{ type: "text", text }` or `{ type: "image_url", image_url: { url } }`; its keys are data. */
export interface EmbeddingPart {
  readonly type: string
  readonly [field: string]: unknown
}

/** Numbers, or base64 of little-endian float32. */
export type VectorEncoding = "float" | "base64"

/** The vector of one input, in either form. */
export interface IndexedVector {
  /** The place of the input in the call, from 0. */
  readonly index: number
  /** Numbers, or base64 of little-endian float32. */
  readonly vector: ReadonlyArray<number> | string
}

/** A vector for each input, and the usage. */
export interface EmbeddingReply {
  /** In any order. The core refuses a missing or repeated index, and vectors of different lengths. */
  readonly vectors: ReadonlyArray<IndexedVector>
  /** Absent: not reported, so the core estimates it. */
  readonly usage?: TokenUsage
  /** The tokens of the prompt by modality, such as `image_tokens`; absent: not reported. */
  readonly tokenDetails?: Readonly<Record<string, number>>
  /** The cost that the upstream reports. */
  readonly cost?: NanoUsd
  /** The dated name of the model that answered; absent: not reported. */
  readonly model?: string
  /** The upstream's id of the answer, for its support. */
  readonly id?: string
}

/**
 * Makes embeddings. Each call sends one request and answers all of its inputs or fails; retries, fallbacks and the split
 * of a long list belong to the core. An interruption must abort the request.
 */
export interface EmbeddingCapability {
  readonly embed: (
    call: EmbeddingCall
  ) => Effect.Effect<EmbeddingReply, UpstreamFailure, HttpClient.HttpClient>
  /**
   * The most inputs of one call, 1 or more; a function gets the model's name at the upstream. The core makes several
   * calls for more. Absent or undefined: unlimited.
   */
  readonly maxInputs?: number | ((model: string) => number | undefined)
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
  readonly estimateWorstCase: (call: EmbeddingCall) => TokenUsage
}
