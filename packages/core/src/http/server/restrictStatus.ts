/** Fits an error response to its operation: its statuses, its envelope, its words. */
import * as Context from "effect/Context"
import type * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import type { ContractOperation } from "../contract/ContractOperation.ts"
import { contractOperations } from "../contractOperations.ts"
import { commonErrors } from "../contract/ErrorEnvelope.ts"
import {
  ErrorFormat,
  type ErrorFormatName,
  HasClosedStatuses,
  HidesKeyProblems,
  RawBody,
  RequiredCaller
} from "../contract/operationAnnotations.ts"
import { missingKeyMessage } from "../errors/toAuthErrorResponse.ts"
import { toInternChatEnvelope } from "../errors/toInternChatEnvelope.ts"
import {
  bodyBufferFullResponse,
  unsupportedMediaTypeResponse
} from "../errors/toHttpErrorResponse.ts"
import { toInternEnvelope } from "../errors/toInternEnvelope.ts"
import type { ErrorResponse } from "../errors/ErrorResponse.ts"
import { drainingResponse, notJsonResponse } from "../errors/toErrorResponse.ts"

type OperationKey = Pick<ContractOperation, "group" | "name">

interface ErrorRules {
  readonly format: ErrorFormatName
  /** The statuses the operation declares; absent: any. */
  readonly statuses?: ReadonlySet<number>
  readonly hidesKeyProblems: boolean
  /** Operations that run models: to the reference service a wrong content type is a malformed request. */
  readonly runsModel: boolean
}

const toErrorRules = ({ annotations, endpoint }: ContractOperation): ErrorRules => ({
  format: Context.get(annotations, ErrorFormat),
  hidesKeyProblems: Context.get(annotations, HidesKeyProblems),
  runsModel:
    Context.get(annotations, RawBody) && Context.get(annotations, RequiredCaller) === "model",
  ...(Context.get(annotations, HasClosedStatuses)
    ? { statuses: listStatuses([...endpoint.error, ...commonErrors]) }
    : undefined)
})

const listStatuses = (errors: ReadonlyArray<Schema.Top>): ReadonlySet<number> =>
  new Set(errors.flatMap(({ ast }) => SchemaAST.resolveAt<number>("httpApiStatus")(ast) ?? []))

const toId = ({ group, name }: OperationKey): string => `${group}.${name}`

const rulesById: ReadonlyMap<string, ErrorRules> = new Map(
  contractOperations.map((operation) => [toId(operation), toErrorRules(operation)])
)

/** The service itself turns these requests away, so every operation answers with them. */
const alwaysAllowed: ReadonlySet<ErrorResponse> = new Set([
  bodyBufferFullResponse,
  drainingResponse
])

/**
 * The same, or as the 500 of an operation that does not declare the status. An instance that is closing or crowded
 * turns everything away alike, for that is not the operation's answer; interns have an envelope of their own, and
 * their lists hold whatever happens.
 */
export const restrictStatus = (
  operation: OperationKey | undefined,
  refusal: ErrorResponse
): ErrorResponse => {
  const rules = operation === undefined ? undefined : rulesById.get(toId(operation))
  if (operation === undefined || rules === undefined) return refusal
  const { format, hidesKeyProblems, runsModel, statuses } = rules
  if (format === "intern" && statuses !== undefined) {
    return toInternEnvelope(operation.name, statuses, refusal)
  }
  if (format === "internChat") return toInternChatEnvelope(refusal)
  if (refusal.status === 401 && hidesKeyProblems) return { ...refusal, message: missingKeyMessage }
  if (refusal === unsupportedMediaTypeResponse && runsModel) return notJsonResponse
  return statuses === undefined || alwaysAllowed.has(refusal) || statuses.has(refusal.status)
    ? refusal
    : { ...refusal, status: 500 }
}
