/** What a caller is told that asks for an operation that does not exist. */
import { InvalidRequest } from "../../values/RequestErrors.ts"
import type { Refusal } from "./Refusal.ts"
import { requestRefusal } from "./requestRefusal.ts"

export const notServed = (method: string, path: string): Refusal => ({
  status: 404,
  message: `${method} ${path.slice(0, longestPath).toWellFormed()} is not served here`,
  metadata: { error_type: "not_found" }
})

/** In characters: enough to see a typo. */
const longestPath = 200

export const malformedPath: Refusal = requestRefusal(
  new InvalidRequest({ path: [], problem: "the path is not valid percent-encoding" })
)
