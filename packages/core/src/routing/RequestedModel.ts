/** A model as a request names it: the concrete model, and the dynamic suffix it was named with. */
import type { Variant } from "../catalog/Variant.ts"
import type { ModelSlug } from "../values/ids/ModelSlug.ts"

export interface RequestedModel {
  readonly id: ModelSlug
  readonly variant?: Variant
}
