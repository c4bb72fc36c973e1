/** The usage of a model other than the requested one for an answer, such as a model that the provider's tools ask. */
import type { TokenUsage } from "./TokenUsage.ts"

/** Part of the usage of an answer, by the model that used it. */
export interface ModelUsage {
  /** The model's name at the provider. */
  readonly model: string
  readonly usage: TokenUsage
}
