/** Responds to the operations of the contract: admits the caller, decodes the input, calls the handler, renders the result. */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { CacheReport } from "../../routing/cache/AnswerCaching.ts"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { InternEligibility } from "../../domains/interns/Intern.ts"
import {
  toTraceparent,
  traceresponseHeader
} from "../../engine/observability/tracing/traceContext.ts"
import { Settings } from "../../instance/Settings.ts"
import { anonymousCaller, type Caller } from "../../tenants/auth/Caller.ts"
import { checkCaller } from "../../tenants/auth/permissions.ts"
import * as Step from "../../values/Step.ts"
import { ResourceNotFound } from "../../values/errors/RequestErrors.ts"
import { encodeIgnored } from "../../values/errors/ignoredFields.ts"
import { toInvalidBody } from "../../values/json/parseJson.ts"
import type { RequestHeaders } from "../body/BodyRequest.ts"
import { isForm, isMultipart } from "../body/contentType.ts"
import { makeReadBody, type ReadBody } from "../body/readBody.ts"
import type { Operation } from "../contract/Operation.ts"
import { NotJson, RegionalHostname } from "../errors/HttpErrors.ts"
import type { ExpectedError } from "../errors/errorTable.ts"
import { toErrorResponse } from "../errors/toErrorResponse.ts"
import { addHeaders, type AnyResponse, JsonAnswer } from "../operation/JsonAnswer.ts"
import type { DecodedInput } from "../operation/OperationDecoder.ts"
import { conditionalGet, Entity, Reply, StreamedReply } from "../operation/Reply.ts"
import type { RequestContext, SearchParams } from "../operation/RequestContext.ts"
import { RoutingMetadataRecorder } from "../operation/RoutingMetadataRecorder.ts"
import { makeWithTimeout } from "../operation/makeWithTimeout.ts"
import { Admission } from "./Admission.ts"
import { type BoundHandler, HandlerTable } from "./HandlerTable.ts"
import {
  findErrorRules,
  findHostname,
  type IncomingRequest,
  normalizeHostname
} from "./IncomingRequest.ts"
import { makeFailureRecorder } from "./makeFailureRecorder.ts"
import type { RouteMatch } from "./routeTable.ts"

/** Built once; returns the function that responds. It does its work when it is called. */
export const makeContractResponder = Effect.gen(function* () {
  const { authenticate, count } = yield* Admission
  const recordFailure = yield* makeFailureRecorder
  const { find } = yield* HandlerTable
  const checkInternAccess = yield* makeInternAccess
  const withTimeout = yield* makeWithTimeout
  const readBody = yield* makeReadBody
  const readInput = (
    { decode, operation: { requiredCaller, requiresInternAccess = false } }: BoundHandler,
    params: RouteMatch["params"],
    context: RequestContext,
    request: IncomingRequest
  ): Effect.Effect<DecodedInput, ExpectedError> => {
    const access: Effect.Effect<void, ExpectedError> = requiresInternAccess
      ? checkInternAccess(context.caller, request)
      : Effect.void
    return Step.flatMap(access, (): Effect.Effect<DecodedInput, ExpectedError> => {
      const problem = checkCaller(requiredCaller, context.caller)
      return problem === undefined ? decode(params, context) : Effect.fail(problem)
    })
  }

  const runHandler = (
    handler: BoundHandler,
    matched: RouteMatch,
    request: IncomingRequest,
    caller: Caller,
    routing: RoutingMetadataRecorder
  ): Effect.Effect<unknown, ExpectedError> => {
    const { refusesForms = false, takesForms = false, timeLimited = "never" } = handler.operation
    if (refusesForms && isForm(request.headers) && !(takesForms && isMultipart(request.headers))) {
      return Effect.fail(takesForms ? notJsonOrForm : new NotJson())
    }
    const context = new HttpRequestContext(request, matched, caller, routing, readBody)
    const handle = (decoded: DecodedInput) => handler.handle(decoded, context)
    const input = () => readInput(handler, matched.params, context, request)
    switch (timeLimited) {
      case "never":
        return Step.flatMap(input(), handle)
      case "input":
        return Effect.flatMap(withTimeout(Effect.suspend(input)), handle)
      case "operation":
        return withTimeout(Effect.flatMap(Effect.suspend(input), handle))
    }
  }

  return (matched: RouteMatch, request: IncomingRequest): Effect.Effect<AnyResponse> => {
    const { headers } = request
    const { operation } = matched
    const routing = new RoutingMetadataRecorder(headers, request.requestId)
    return Step.flatMap(find(operation), (handler) => {
      let known: Caller | undefined
      const output =
        operation.requiredCaller === "anyone"
          ? runHandler(handler, matched, request, anonymousCaller, routing)
          : Step.flatMap(authenticate(request), (caller) => {
              known = caller
              return Step.flatMap(count(request, caller), () =>
                runHandler(handler, matched, request, caller, routing)
              )
            })
      return Step.match(output, {
        onSuccess: (output) =>
          addCacheReport(addFacts(toResponse(output, operation, headers), routing), routing),
        onFailure: (error) => {
          const response = toErrorResponse(error, findErrorRules(operation, request))
          if (!routing.isRecorded) recordFailure(request, operation, known, response)
          return addFacts(routing.renderError(response), routing)
        }
      })
    })
  }
})

const notJsonOrForm = toInvalidBody(
  "the content type must be application/json or multipart/form-data"
)

/** Names what a response ignored of its request. */
const ignoredHeader = "x-signalbox-ignored"

/** What the headers of an answer say of the request. */
const addFacts = (response: AnyResponse, routing: RoutingMetadataRecorder): AnyResponse =>
  addTrace(addIgnored(response, routing), routing)

const addCacheReport = (response: AnyResponse, { cached }: RoutingMetadataRecorder): AnyResponse =>
  cached === undefined ? response : addHeaders(response, toCacheHeaders(cached))

/** By the names of https://openrouter.ai/docs/features/response-caching, which has no semantic hits. */
const toCacheHeaders = ({ ageSeconds, match, source, status, ttlSeconds }: CacheReport) => ({
  "x-openrouter-cache-status": status,
  "x-openrouter-cache-ttl": String(ttlSeconds),
  ...(ageSeconds === undefined ? undefined : { "x-openrouter-cache-age": String(ageSeconds) }),
  ...(source === undefined ? undefined : { "x-openrouter-cache-source-id": source }),
  ...(match === undefined ? undefined : { "x-signalbox-cache-match": match })
})

const addIgnored = (response: AnyResponse, routing: RoutingMetadataRecorder): AnyResponse => {
  const ignored = routing.listIgnored()
  return ignored === undefined
    ? response
    : addHeaders(response, { [ignoredHeader]: encodeIgnored(ignored) })
}

/** Callers find the request in the host's traces by it. */
const addTrace = (response: AnyResponse, { span }: RoutingMetadataRecorder): AnyResponse =>
  span === undefined
    ? response
    : addHeaders(response, { [traceresponseHeader]: toTraceparent(span) })

const toResponse = (
  output: unknown,
  { isSecret = false, status }: Operation,
  headers: RequestHeaders
): AnyResponse => {
  if (output instanceof JsonAnswer) return output
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

/** Yields the check of a request, which runs before the body is read. */
const makeInternAccess = Effect.gen(function* () {
  const isEligible = yield* InternEligibility
  const { regionalHostnames } = yield* Settings
  const regional: ReadonlySet<string> = new Set(regionalHostnames.map(normalizeHostname))

  const requireEligible = Effect.fnUntraced(function* (caller: Caller) {
    const answer = isEligible(caller)
    const isAllowed = typeof answer === "boolean" ? answer : yield* Effect.promise(() => answer)
    // The same error for every path does not reveal which interns exist.
    if (!isAllowed) return yield* new ResourceNotFound({ resource: "intern", id: "" })
  })

  return (
    caller: Caller,
    request: IncomingRequest
  ): Effect.Effect<void, ResourceNotFound | RegionalHostname> =>
    regional.has(findHostname(request) ?? "")
      ? Effect.fail(new RegionalHostname())
      : requireEligible(caller)
})

/** The context of a request over HTTP. */
class HttpRequestContext implements RequestContext {
  readonly caller: Caller
  readonly routing: RoutingMetadataRecorder
  /** A function of its own, because handlers take it out of the context. */
  readonly readBody: RequestContext["readBody"]
  readonly request: IncomingRequest
  readonly #matched: RouteMatch

  constructor(
    request: IncomingRequest,
    matched: RouteMatch,
    caller: Caller,
    routing: RoutingMetadataRecorder,
    readBody: ReadBody
  ) {
    this.caller = caller
    this.routing = routing
    this.readBody = (limit, options) => readBody(request, limit, options)
    this.request = request
    this.#matched = matched
  }

  get isInProcess(): boolean {
    return false
  }

  get method(): string {
    return this.request.method
  }

  get mount(): string {
    return this.request.mount
  }

  get path(): string {
    return this.#matched.operation.path
  }

  get searchParams(): SearchParams {
    return this.#matched.searchParams
  }

  get headers(): RequestHeaders {
    return this.request.headers
  }

  get internHostname(): string | undefined {
    return this.#matched.internHostname
  }

  get scope(): Scope.Scope {
    return this.request.scope
  }
}
