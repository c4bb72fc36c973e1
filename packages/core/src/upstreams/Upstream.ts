/** An upstream provider: a value a host makes and hands to `make`. */
import type { DecisionCapability } from "./DecisionCapability.ts"

export interface Upstream {
  /** Names the provider in `only`, `ignore`, `order` and in endpoints of the catalog. */
  readonly slug: string
  /** What answers show as `provider`. */
  readonly name: string
  readonly decisions?: DecisionCapability
}
