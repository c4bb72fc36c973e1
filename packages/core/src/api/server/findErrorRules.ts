/** Finds the error rules of a request. */
import { type OperationFacts, toOperationKey } from "../contract/ContractOperation.ts"
import type { ErrorRules } from "../errors/toErrorResponse.ts"
import { operationList } from "../operationList.ts"
import type { IncomingRequest } from "./IncomingRequest.ts"

const messagesPath = /^\/api\/v1\/messages(?:[/?]|$)/
const modelsPath = /^\/api\/v1\/models(?:[/?]|$)/

/** Clients of other APIs list models too, but send no version of this one. */
export const speaksMessages = ({
  headers,
  url
}: Pick<IncomingRequest, "headers" | "url">): boolean =>
  messagesPath.test(url) || (headers[versionHeader] !== undefined && modelsPath.test(url))

const versionHeader = "anthropic-version"

/** Without an operation, or for one outside the contract, there are no rules but the envelope of the client. */
export const findErrorRules = (
  operation: Pick<OperationFacts, "group" | "name"> | undefined,
  request?: Pick<IncomingRequest, "headers" | "url">
): ErrorRules | undefined => {
  const rules = operation === undefined ? undefined : rulesById.get(toOperationKey(operation))
  return request !== undefined && speaksMessages(request)
    ? { ...rules, envelope: "messages" }
    : rules
}

const rulesById: ReadonlyMap<string, ErrorRules | undefined> = new Map(
  operationList.map((operation) => [toOperationKey(operation), operation.errorRules])
)
