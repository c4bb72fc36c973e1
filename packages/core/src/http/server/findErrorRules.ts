/** Finds the error rules of an operation, derived from its annotations and declared statuses. */
import * as Context from "effect/Context"
import { commonErrors } from "../contract/ErrorEnvelope.ts"
import {
  type ContractOperation,
  resolveStatus,
  toOperationKey
} from "../contract/ContractOperation.ts"
import {
  ErrorFormat,
  HasClosedStatuses,
  HidesKeyProblems,
  RawBody,
  RequiredCaller,
  UnavailableStatus
} from "../contract/operationAnnotations.ts"
import { contractOperations } from "../contractOperations.ts"
import type { ErrorRules } from "../errors/toErrorResponse.ts"

type OperationKey = Pick<ContractOperation, "group" | "name">

/** Without an operation, or for one outside the contract, there are no rules. */
export const findErrorRules = (operation: OperationKey | undefined): ErrorRules | undefined =>
  operation === undefined ? undefined : rulesById.get(toOperationKey(operation))

const toErrorRules = ({ annotations, endpoint }: ContractOperation): ErrorRules => ({
  envelope: Context.get(annotations, ErrorFormat),
  unavailableStatus: Context.get(annotations, UnavailableStatus),
  hidesKeyProblems: Context.get(annotations, HidesKeyProblems),
  runsModel:
    Context.get(annotations, RawBody) && Context.get(annotations, RequiredCaller) === "model",
  ...(Context.get(annotations, HasClosedStatuses)
    ? { statuses: listStatuses(endpoint) }
    : undefined)
})

const listStatuses = ({ error }: ContractOperation["endpoint"]): ReadonlySet<number> =>
  new Set([...error, ...commonErrors].flatMap(({ ast }) => resolveStatus(ast) ?? []))

const rulesById: ReadonlyMap<string, ErrorRules> = new Map(
  contractOperations.map((operation) => [toOperationKey(operation), toErrorRules(operation)])
)
