/** The table of errors: what each means to a caller. Entries are beside this file, by domain. */
import { authErrorFacts, paymentErrorFacts, rateLimitErrorFacts } from "./callerErrorFacts.ts"
import {
  calibrationErrorFacts,
  customerErrorFacts,
  internErrorFacts,
  personErrorFacts,
  vaultErrorFacts,
  videoErrorFacts
} from "./domainErrorFacts.ts"
import type { ErrorFacts } from "./ErrorFacts.ts"
import { instanceErrorFacts } from "./instanceErrorFacts.ts"
import { requestErrorFacts } from "./requestErrorFacts.ts"
import { routingErrorFacts } from "./routingErrorFacts.ts"
import { serverErrorFacts } from "./serverErrorFacts.ts"

const operationErrors = {
  ...authErrorFacts,
  ...rateLimitErrorFacts,
  ...paymentErrorFacts,
  ...requestErrorFacts,
  ...routingErrorFacts,
  ...calibrationErrorFacts,
  ...customerErrorFacts,
  ...videoErrorFacts,
  ...vaultErrorFacts,
  ...internErrorFacts,
  ...personErrorFacts,
  ...instanceErrorFacts
}

export const errorTable = { ...operationErrors, ...serverErrorFacts }

type ErrorOf<Table> = {
  [Tag in keyof Table]: Table[Tag] extends (error: infer Error) => unknown ? Error : never
}[keyof Table]

/** Every error that an operation reports; `_tag` distinguishes them, such as `LimitExceeded`. */
export type ExpectedError = ErrorOf<typeof operationErrors>

/** Every error that leaves the service, over HTTP or in process. */
export type ReportedError = ErrorOf<typeof errorTable>

/** Each error by its tag. */
type ErrorByTag = { readonly [Error in ReportedError as Error["_tag"]]: Error }

type FactsByTag = { readonly [Tag in keyof ErrorByTag]: (error: ErrorByTag[Tag]) => ErrorFacts }

const factsByTag: FactsByTag = errorTable

/** What an error means, from the table. */
export const findErrorFacts = <Tag extends keyof ErrorByTag>(
  tag: Tag,
  error: ErrorByTag[Tag]
): ErrorFacts => factsByTag[tag](error)
