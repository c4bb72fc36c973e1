/** What a caller is told when the catalog has not what it asked for. */
import type { ModelNotListed } from "../../listing/ListingErrors.ts"
import { availability } from "./availability.ts"
import type { Refusal } from "./Refusal.ts"

export const catalogRefusal = ({ model }: ModelNotListed): Refusal => ({
  status: 404,
  message: `${model} is not a model of this catalog`,
  metadata: availability("not_found", "model_not_found", [model])
})
