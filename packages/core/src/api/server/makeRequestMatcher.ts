/** Matches requests to operations. A chat sent to the hostname of an intern is a chat with that intern. */
import type { InternHost } from "../../domains/interns/host/InternHost.ts"
import { type IncomingRequest, findHostname, normalizeHostname } from "./IncomingRequest.ts"
import { toOperationId } from "../contract/Operation.ts"
import type { OperationId } from "../Api.ts"
import { matchRoute, type RouteMatch, operations } from "./routeTable.ts"

/** Does not look up the intern, because only an admitted caller may learn whether it exists. */
export const makeRequestMatcher = (host: Pick<InternHost, "domain"> | undefined) => {
  const suffix = host?.domain === undefined ? undefined : `.${normalizeHostname(host.domain)}`
  return (
    request: Pick<IncomingRequest, "headers" | "method" | "originalUrl" | "url">
  ): RouteMatch | undefined => {
    const matched = matchRoute(request.method, request.url)
    if (suffix === undefined || matched === undefined) return matched
    if (matched.operation !== chatOperation || internChatOperation === undefined) return matched
    const hostname = findHostname(request)
    return hostname?.endsWith(suffix) === true
      ? {
          ...matched,
          operation: internChatOperation,
          params: { internId: "" },
          internHostname: hostname
        }
      : matched
  }
}

const findOperation = (id: OperationId) =>
  operations.find((operation) => toOperationId(operation) === id)
const chatOperation = findOperation("chat.complete")
const internChatOperation = findOperation("interns.chat")
