/** Which operation a request asks for: a chat that is sent to the hostname of an intern is one with that intern. */
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import type { InternHost } from "../interns/InternHost.ts"
import { hostNameOf, plainName } from "./hostNameOf.ts"
import { match, type Matched, operations } from "./routes.ts"

/** Whether there is such an intern is not looked at: only somebody who was let in is told. */
export const addressing = (host: Pick<InternHost, "domain"> | undefined) => {
  const suffix = host?.domain === undefined ? undefined : `.${plainName(host.domain)}`
  return (request: HttpServerRequest.HttpServerRequest): Matched | undefined => {
    const matched = match(request.method, request.url)
    if (suffix === undefined || matched === undefined) return matched
    if (matched.handler !== anyChat || internChat === undefined) return matched
    const hostname = hostNameOf(request)
    return hostname?.endsWith(suffix) === true
      ? { ...matched, handler: internChat, params: { hostname } }
      : matched
  }
}

const operationOf = (group: string) => operations.find((operation) => operation.group === group)
const anyChat = operationOf("chat")
const internChat = operationOf("internChats")
