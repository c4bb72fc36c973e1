/** What a request needs of an endpoint, whatever the operation. */
import type { RequestedTier } from "../catalog/Tier.ts"

export interface Requirements {
  /** Parameters of the request, which `require_parameters` makes mandatory. */
  readonly parameters: ReadonlyArray<string>
  /** Parameters of the request that no endpoint is sent; absent: none. */
  readonly ignoredParameters?: ReadonlyArray<string>
  /** Those of `parameters` for which an endpoint that lacks one gives way to others of its model. */
  readonly preferredParameters?: ReadonlyArray<string>
  /** The requested service tier: its endpoints are admitted and come first. */
  readonly tier?: RequestedTier
  /** The estimated length of the prompt in tokens. */
  readonly inputTokens: number
  /** The maximum length of the answer in tokens; 0: unknown or negligible. */
  readonly outputTokens: number
  /** The expected length of the answer in tokens, for ranking; absent: `outputTokens`. */
  readonly expectedOutputTokens?: number
  /** The number of images in the prompt; absent: none. */
  readonly images?: number
}
