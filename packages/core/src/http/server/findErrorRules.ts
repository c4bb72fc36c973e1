/** Finds the error rules of an operation. */
import { type OperationFacts, toOperationKey } from "../contract/OperationFacts.ts"
import type { ErrorRules } from "../errors/toErrorResponse.ts"
import { operationList } from "../operationList.ts"

/** Without an operation, or for one outside the contract, there are no rules. */
export const findErrorRules = (
  operation: Pick<OperationFacts, "group" | "name"> | undefined
): ErrorRules | undefined =>
  operation === undefined ? undefined : rulesById.get(toOperationKey(operation))

const rulesById: ReadonlyMap<string, ErrorRules | undefined> = new Map(
  operationList.map((operation) => [toOperationKey(operation), operation.errorRules])
)
