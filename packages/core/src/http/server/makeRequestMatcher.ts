/** Which operation a request asks for: a chat that is sent to the hostname of an intern is one with that intern. */
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import type { InternHost } from "../../interns/host/InternHost.ts"
import { findHostname, normalizeHostname } from "./findHostname.ts"
import { matchRoute, type RouteMatch, operations } from "./routeTable.ts"

/** Whether there is such an intern is not looked at: only somebody who was let in is told. */
export const makeRequestMatcher = (host: Pick<InternHost, "domain"> | undefined) => {
  const suffix = host?.domain === undefined ? undefined : `.${normalizeHostname(host.domain)}`
  return (request: HttpServerRequest.HttpServerRequest): RouteMatch | undefined => {
    const matched = matchRoute(request.method, request.url)
    if (suffix === undefined || matched === undefined) return matched
    if (matched.handler !== chatOperation || internChatOperation === undefined) return matched
    const hostname = findHostname(request)
    return hostname?.endsWith(suffix) === true
      ? {
          ...matched,
          handler: internChatOperation,
          params: { internId: "" },
          internHostname: hostname
        }
      : matched
  }
}

const findOperation = (group: string) => operations.find((operation) => operation.group === group)
const chatOperation = findOperation("chat")
const internChatOperation = findOperation("internChats")
