/** A model as a request names it: the resolved model and the dynamic suffix of its name. */
import type { Variant } from "../catalog/Variant.ts"
import type { ModelSlug } from "../values/ids/ModelSlug.ts"

export interface RequestedModel {
  readonly id: ModelSlug
  readonly variant?: Variant
}
