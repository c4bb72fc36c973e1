/** The table of errors: what each means to a caller. Entries are beside this file, by domain. */
import type { OptionFailed } from "../../values/errors/OptionFailed.ts"
import { authErrorFacts } from "./authErrorFacts.ts"
import type { ErrorTable } from "./ErrorFacts.ts"
import type { ExpectedError } from "./ExpectedError.ts"
import { instanceErrorFacts } from "./instanceErrorFacts.ts"
import { internErrorFacts } from "./internErrorFacts.ts"
import { requestErrorFacts } from "./requestErrorFacts.ts"
import { routingErrorFacts } from "./routingErrorFacts.ts"
import type { InternalError, UnknownOperation, UnknownPath } from "./ServerErrors.ts"
import { vaultErrorFacts } from "./vaultErrorFacts.ts"
import { videoErrorFacts } from "./videoErrorFacts.ts"

/** Every error that leaves the service, over HTTP or in process. */
export type ReportedError =
  | ExpectedError
  | InternalError
  | OptionFailed
  | UnknownOperation
  | UnknownPath

export const errorTable: ErrorTable<ReportedError> = {
  ...authErrorFacts,
  ...requestErrorFacts,
  ...routingErrorFacts,
  ...videoErrorFacts,
  ...vaultErrorFacts,
  ...internErrorFacts,
  ...instanceErrorFacts
}
