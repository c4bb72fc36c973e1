/** What a request requires, whatever the operation. */
import type { RequestedTier } from "../catalog/endpoint/Tier.ts"
import type { Variant } from "../catalog/model/Variant.ts"
import type { Dialect } from "../conversation/Dialect.ts"
import type { ModelSlug } from "../values/ids/ModelSlug.ts"

/** A requested model, resolved, with the dynamic suffix of its name. */
export interface RequestedModel {
  readonly id: ModelSlug
  readonly variant?: Variant
}

/** What a request has that only one dialect can say. */
export interface DialectNeed {
  readonly dialect: Dialect
  /** Where the request has it, such as `tools.3`. */
  readonly path: string
}

/** What a request requires of an endpoint. */
export interface Requirements {
  /** Parameters of the request, which `require_parameters` makes mandatory. */
  readonly parameters: ReadonlyArray<string>
  /** Parameters of the request that no endpoint is sent; absent: none. */
  readonly ignoredParameters?: ReadonlyArray<string>
  /** Those of `parameters` that change what an answer is: endpoints known not to support one are left out. Absent: none. */
  readonly mandatoryParameters?: ReadonlyArray<string>
  /** Those of `parameters` for which endpoints of a model that support them are preferred. */
  readonly preferredParameters?: ReadonlyArray<string>
  /** The requested service tier: its endpoints are admitted and come first. */
  readonly tier?: RequestedTier
  /** The estimated length of the prompt in tokens. */
  readonly inputTokens: number
  /** The maximum length of the answer in tokens; 0: unknown or negligible. */
  readonly outputTokens: number
  /** The expected length of the answer in tokens, for ranking; absent: `outputTokens`. */
  readonly expectedOutputTokens?: number
  /**
   * Whose reasoning the prompt holds, such as `anthropic`; `unknown` for reasoning that names no provider. Absent: nobody's.
   */
  readonly reasoningFamilies?: ReadonlyArray<string>
  /** Whose signature the last answer of the prompt carries: its endpoints come first. Absent: nobody's. */
  readonly signedBy?: string
  /** What only providers with one dialect can serve; absent: nothing. */
  readonly dialect?: DialectNeed
  /** What lets providers with one dialect answer with a model of their own choice; absent: nothing. */
  readonly modelChoice?: DialectNeed
  /** The number of images in the prompt; absent: none. */
  readonly images?: number
}
