/** Finds the error rules of a request. */
import type { Operation } from "../contract/Operation.ts"
import type { ErrorRules } from "../errors/toErrorResponse.ts"
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
  operation: Pick<Operation, "errorRules"> | undefined,
  request?: Pick<IncomingRequest, "headers" | "url">
): ErrorRules | undefined => {
  const rules = operation?.errorRules
  return request !== undefined && speaksMessages(request)
    ? { ...rules, envelope: "messages" }
    : rules
}
