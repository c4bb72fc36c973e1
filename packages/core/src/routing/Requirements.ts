/** What a request needs of an endpoint, whatever the operation. */
import type { RequestedTier } from "../catalog/Tier.ts"

export interface Requirements {
  /** Parameters the request supplies and `require_parameters` insists on. */
  readonly parameters: ReadonlyArray<string>
  /** What else the request asks for, and no endpoint is sent; absent: nothing. */
  readonly ignoredParameters?: ReadonlyArray<string>
  /** Those of `parameters` it would hardly do without: endpoints that lack one stand back for others of their model. */
  readonly preferredParameters?: ReadonlyArray<string>
  /** The service tier it asks for: endpoints of it are admitted, and come first. */
  readonly tier?: RequestedTier
  /** Estimated tokens of the prompt. */
  readonly inputTokens: number
  /** The most tokens the answer is to have; 0 where nobody says, or where they are few. */
  readonly outputTokens: number
  /** How many it is expected to have, for ranking; absent: `outputTokens`. */
  readonly expectedOutputTokens?: number
  /** How many images it shows; absent: none. */
  readonly images?: number
}
