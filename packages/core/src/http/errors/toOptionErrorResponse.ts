/** What a host is told when its options cannot be built: in process alone, since nothing is served then. */
import type { OptionFailed } from "../../values/errors/OptionFailed.ts"
import type { ErrorResponse } from "./ErrorResponse.ts"

export const toOptionErrorResponse = ({ message, option }: OptionFailed): ErrorResponse => ({
  status: 503,
  message,
  metadata: { option }
})
