/** Answers the operations of the contract: admit, call the handler, tell what went wrong. */
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import { Admission } from "./Admission.ts"
import type { Handler } from "./RequestContext.ts"
import { restrictStatus } from "./errors/restrictStatus.ts"
import { toErrorResponse } from "./errors/toErrorResponse.ts"
import { accountsHandlers } from "./handlers/accountsHandlers.ts"
import { auditHandlers } from "./handlers/auditHandlers.ts"
import { byokHandlers } from "./handlers/byokHandlers.ts"
import { catalogHandlers } from "./handlers/catalogHandlers.ts"
import { chatHandlers } from "./handlers/chatHandlers.ts"
import { deliveriesHandlers } from "./handlers/deliveriesHandlers.ts"
import { guardrailsHandlers } from "./handlers/guardrailsHandlers.ts"
import { internChatsHandlers } from "./handlers/internChatsHandlers.ts"
import { internsHandlers } from "./handlers/internsHandlers.ts"
import { keysHandlers } from "./handlers/keysHandlers.ts"
import { operationsHandlers } from "./handlers/operationsHandlers.ts"
import { recordsHandlers } from "./handlers/recordsHandlers.ts"
import { vaultHandlers } from "./handlers/vaultHandlers.ts"
import { videosHandlers } from "./handlers/videosHandlers.ts"
import { webhooksHandlers } from "./handlers/webhooksHandlers.ts"
import { workspacesHandlers } from "./handlers/workspacesHandlers.ts"
import { NotJson } from "./HttpErrors.ts"
import { isForm } from "./isForm.ts"
import { Mount } from "./Mount.ts"
import type { RouteMatch } from "./routeTable.ts"
import { RoutingMetadataRecorder } from "./RoutingMetadataRecorder.ts"

/** Built once; gives the effect that answers what was matched. */
export const makeContractResponder = Effect.gen(function* () {
  const { admit } = yield* Admission
  const groups: Readonly<Record<string, Readonly<Record<string, Handler>>>> = {
    accounts: yield* accountsHandlers,
    audit: yield* auditHandlers,
    byok: yield* byokHandlers,
    catalog: yield* catalogHandlers,
    chat: yield* chatHandlers,
    deliveries: yield* deliveriesHandlers,
    guardrails: yield* guardrailsHandlers,
    internChats: yield* internChatsHandlers,
    interns: yield* internsHandlers,
    keys: yield* keysHandlers,
    operations: yield* operationsHandlers,
    records: yield* recordsHandlers,
    vault: yield* vaultHandlers,
    videos: yield* videosHandlers,
    webhooks: yield* webhooksHandlers,
    workspaces: yield* workspacesHandlers
  }

  const respond = Effect.fnUntraced(function* (
    { handler: { group, method, name, path }, params, searchParams }: RouteMatch,
    request: HttpServerRequest.HttpServerRequest,
    routing: RoutingMetadataRecorder
  ) {
    const handler = groups[group]?.[name]
    if (handler === undefined)
      return yield* Effect.die(new Error(`nobody answers ${group}.${name}`))
    const caller = yield* admit(request)
    // Operations without a body are not for forms either. Interns check for themselves.
    const mayBeForm = method !== "GET" && !group.startsWith("intern")
    if (mayBeForm && isForm(request.headers["content-type"])) return yield* new NotJson()
    return yield* handler({
      caller,
      mount: yield* Mount,
      path,
      params,
      query: searchParams,
      request,
      routing
    })
  })

  return (matched: RouteMatch) =>
    Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
      const routing = new RoutingMetadataRecorder(request.headers)
      return Effect.matchEffect(respond(matched, request, routing), {
        onSuccess: Effect.succeed,
        onFailure: (error) =>
          Effect.succeed(
            routing.renderError(restrictStatus(matched.handler, toErrorResponse(error)))
          )
      })
    })
})
