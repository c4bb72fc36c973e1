/** What a caller is told when the catalog has not what it asked for. */
import type { ModelNotListed } from "../../listing/ListingErrors.ts"
import { toAvailabilityMetadata } from "./toAvailabilityMetadata.ts"
import type { ErrorResponse } from "./ErrorResponse.ts"

export const toCatalogErrorResponse = ({ model }: ModelNotListed): ErrorResponse => ({
  status: 404,
  message: `${model} is not a model of this catalog`,
  metadata: toAvailabilityMetadata("not_found", "model_not_found", [model])
})
