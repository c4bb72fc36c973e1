/** Errors that no operation reports: unknown paths, bugs, and options that fail. */
import type { OptionFailed } from "../../values/errors/RequestErrors.ts"
import { shorten } from "../../values/validation/text.ts"
import type { ErrorTable } from "./ErrorFacts.ts"
import type { InternalError, UnknownOperation, UnknownPath } from "./HttpErrors.ts"

type ServerError = InternalError | OptionFailed | UnknownOperation | UnknownPath

export const serverErrorFacts: ErrorTable<ServerError> = {
  UnknownPath: ({ advice }) => ({ status: 404, message: advice ?? "Not Found" }),
  UnknownOperation: ({ method, path }) => ({
    status: 404,
    message: `${method} ${shorten(path)} is not served here`,
    type: "not_found"
  }),
  InternalError: () => ({ status: 500, message: "Internal Server Error" }),
  // Only in process: nothing is served when an option fails.
  OptionFailed: ({ message, option }) => ({ status: 503, message, details: { option } })
}
