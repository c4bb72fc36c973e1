/** Responds to the operations of the contract: admits the caller, decodes the input, calls the handler, renders the result. */
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { Admission } from "./Admission.ts"
import { checkCaller } from "../../auth/permissions.ts"
import { conditionalGet, Entity } from "../operation/conditionalGet.ts"
import { findErrorRules } from "./findErrorRules.ts"
import { toErrorResponse } from "../errors/toErrorResponse.ts"
import { NotJson } from "../errors/HttpErrors.ts"
import { makeInternAccess } from "./InternAccess.ts"
import { isForm } from "../body/isForm.ts"
import { makeWithTimeout } from "../operation/makeWithTimeout.ts"
import { Mount } from "./Mount.ts"
import type { DecodedInput } from "../operation/OperationDecoder.ts"
import { type Operation, OperationTable } from "./OperationTable.ts"
import { readBody } from "../body/readBody.ts"
import { Reply, StreamedReply } from "../operation/Reply.ts"
import type { RequestContext } from "../operation/RequestContext.ts"
import type { RouteMatch } from "./routeTable.ts"
import { RoutingMetadataRecorder } from "../operation/RoutingMetadataRecorder.ts"

/** Built once; returns a function from a match to the effect that responds. */
export const makeContractResponder = Effect.gen(function* () {
  const { admit } = yield* Admission
  const { find } = yield* OperationTable
  const checkInternAccess = yield* makeInternAccess
  const withTimeout = yield* makeWithTimeout
  const readInput = Effect.fnUntraced(function* (
    { decode, requiredCaller, requiresInternAccess }: Operation,
    params: RouteMatch["params"],
    context: RequestContext,
    request: HttpServerRequest.HttpServerRequest
  ) {
    if (requiresInternAccess) yield* checkInternAccess(context.caller, request)
    const problem = checkCaller(requiredCaller, context.caller)
    return problem === undefined ? yield* decode(params, context) : yield* Effect.fail(problem)
  })

  const answer = Effect.fnUntraced(function* (
    operation: Operation,
    { handler, internHostname, params, searchParams }: RouteMatch,
    request: HttpServerRequest.HttpServerRequest,
    routing: RoutingMetadataRecorder
  ) {
    const { headers, method } = request
    const caller = yield* admit(request)
    if (operation.refusesForms && isForm(headers["content-type"])) return yield* new NotJson()
    const context: RequestContext = {
      isInProcess: false,
      caller,
      method,
      mount: yield* Mount,
      path: handler.path,
      searchParams,
      headers,
      internHostname,
      readBody: (limit, options) => readBody(request, limit, options),
      routing
    }
    const input = readInput(operation, params, context, request)
    const handle = (decoded: DecodedInput) => operation.handle(decoded, context)
    switch (operation.timeLimited) {
      case "never":
        return yield* Effect.flatMap(input, handle)
      case "input":
        return yield* Effect.flatMap(withTimeout(input), handle)
      case "operation":
        return yield* withTimeout(Effect.flatMap(input, handle))
    }
  })

  const respond = Effect.fnUntraced(function* (
    matched: RouteMatch,
    request: HttpServerRequest.HttpServerRequest,
    routing: RoutingMetadataRecorder
  ) {
    const operation = yield* find(matched.handler)
    const output = yield* answer(operation, matched, request, routing)
    return toResponse(output, operation, request.headers)
  })

  return (matched: RouteMatch) =>
    Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
      const routing = new RoutingMetadataRecorder(request.headers)
      return Effect.matchEffect(respond(matched, request, routing), {
        onSuccess: Effect.succeed,
        onFailure: (error) =>
          Effect.succeed(
            routing.renderError(toErrorResponse(error, findErrorRules(matched.handler)))
          )
      })
    })
})

const toResponse = (
  output: unknown,
  { isSecret, status }: Operation,
  headers: HttpServerRequest.HttpServerRequest["headers"]
): HttpServerResponse.HttpServerResponse => {
  if (HttpServerResponse.isHttpServerResponse(output)) return output
  if (output instanceof StreamedReply) return output.toResponse()
  if (output instanceof Entity) return conditionalGet(output, headers)
  const { body, status: replied } = output instanceof Reply ? output : { body: output, status }
  if (body === undefined) return HttpServerResponse.empty({ status: replied })
  return HttpServerResponse.jsonUnsafe(body, {
    status: replied,
    ...(isSecret ? { headers: { "cache-control": "no-store" } } : undefined)
  })
}
