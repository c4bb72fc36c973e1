/** Builds an error response of parts that may be undefined or empty; those are left out. */
import * as Predicate from "effect/Predicate"
import * as Record from "effect/Record"
import type { ErrorResponse } from "./ErrorResponse.ts"

export const makeErrorResponse = ({
  code,
  headers = {},
  message,
  metadata = {},
  status
}: Omit<ErrorResponse, "code"> & { readonly code?: string | undefined }): ErrorResponse => {
  const known = Record.filter(metadata, Predicate.isNotUndefined)
  return {
    status,
    ...(code === undefined ? undefined : { code }),
    message,
    ...(Record.isEmptyRecord(known) ? undefined : { metadata: known }),
    ...(Record.isEmptyRecord(headers) ? undefined : { headers })
  }
}
