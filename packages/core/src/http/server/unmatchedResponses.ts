/** What a caller is told that asks for an operation that does not exist. */
import { InvalidRequest } from "../../values/errors/RequestErrors.ts"
import type { ErrorResponse } from "../errors/ErrorResponse.ts"
import { toRequestErrorResponse } from "../errors/toRequestErrorResponse.ts"

export const toNotServedResponse = (method: string, path: string): ErrorResponse => ({
  status: 404,
  message: `${method} ${path.slice(0, maxPathLength).toWellFormed()} is not served here`,
  metadata: { error_type: "not_found" }
})

/** In characters: enough to see a typo. */
const maxPathLength = 200

export const malformedPathResponse: ErrorResponse = toRequestErrorResponse(
  new InvalidRequest({ path: [], problem: "the path is not valid percent-encoding" })
)
