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
  const { find } = yield* HandlerTable
  const services: CallServices = {
    admission: yield* Admission,
    checkInternAccess: yield* makeInternAccess,
    readBody: yield* makeReadBody,
    recordFailure: yield* makeFailureRecorder,
    withTimeout: yield* makeWithTimeout
  }
  return (matched: RouteMatch, request: IncomingRequest): Effect.Effect<AnyResponse> =>
    Step.flatMapWith(
      find(matched.operation),
      answerCall,
      new ContractCall(request, matched, services)
    )
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

/** What calls are answered with. */
interface CallServices {
  readonly admission: Pick<Admission["Service"], "authenticate" | "count">
  readonly checkInternAccess: Effect.Success<typeof makeInternAccess>
  readonly readBody: ReadBody
  readonly recordFailure: Effect.Success<typeof makeFailureRecorder>
  readonly withTimeout: Effect.Success<typeof makeWithTimeout>
}

/** One request over HTTP: its context, and the steps of its answer, in one object instead of closures. */
class ContractCall implements RequestContext {
  readonly request: IncomingRequest
  readonly routing: RoutingMetadataRecorder
  /** A function of its own, because handlers take it out of the context. */
  readonly readBody: RequestContext["readBody"]
  readonly #matched: RouteMatch
  readonly #services: CallServices
  #handler: BoundHandler | undefined = undefined
  /** Undefined until it is authenticated, and where anyone may call. */
  #known: Caller | undefined = undefined

  constructor(request: IncomingRequest, matched: RouteMatch, services: CallServices) {
    this.request = request
    this.routing = new RoutingMetadataRecorder(request.headers, request.requestId)
    this.readBody = (limit, options) => services.readBody(request, limit, options)
    this.#matched = matched
    this.#services = services
  }

  answer(handler: BoundHandler): Effect.Effect<AnyResponse> {
    this.#handler = handler
    return Step.match(
      this.#matched.operation.requiredCaller === "anyone"
        ? this.run(handler)
        : Step.flatMapWith(this.#services.admission.authenticate(this.request), countCall, this),
      this
    )
  }

  /** Counts the request, whose caller is known. */
  count(caller: Caller): Effect.Effect<unknown, ExpectedError> {
    this.#known = caller
    return Step.flatMapWith(this.#services.admission.count(this.request, caller), runCall, this)
  }

  run(handler = this.#handler!): Effect.Effect<unknown, ExpectedError> {
    const { headers } = this.request
    const { refusesForms = false, takesForms = false, timeLimited = "never" } = handler.operation
    if (refusesForms && isForm(headers) && !(takesForms && isMultipart(headers))) {
      return Effect.fail(takesForms ? notJsonOrForm : new NotJson())
    }
    return timeLimited === "never"
      ? Step.flatMapWith(this.#readInput(handler), handleCall, this)
      : this.#runInTime(handler, timeLimited)
  }

  handle(input: DecodedInput): Effect.Effect<unknown, ExpectedError> {
    return this.#handler!.handle(input, this)
  }

  onSuccess(output: unknown): AnyResponse {
    const { routing } = this
    const response = toResponse(output, this.#matched.operation, this.headers)
    return addCacheReport(addFacts(response, routing), routing)
  }

  onFailure(error: ExpectedError): AnyResponse {
    const { request, routing } = this
    const { operation } = this.#matched
    const response = toErrorResponse(error, findErrorRules(operation, request))
    if (!routing.isRecorded) {
      this.#services.recordFailure(request, operation, this.#known, response)
    }
    return addFacts(routing.renderError(response), routing)
  }

  #readInput(handler: BoundHandler): Effect.Effect<DecodedInput, ExpectedError> {
    return handler.operation.requiresInternAccess === true
      ? Step.flatMapWith(
          this.#services.checkInternAccess(this.caller, this.request),
          decodeCall,
          this
        )
      : this.decode(handler)
  }

  decode(handler = this.#handler!): Effect.Effect<DecodedInput, ExpectedError> {
    const problem = checkCaller(handler.operation.requiredCaller, this.caller)
    return problem === undefined ? handler.decode(this.#matched.params, this) : Effect.fail(problem)
  }

  #runInTime(
    handler: BoundHandler,
    limited: "input" | "operation"
  ): Effect.Effect<unknown, ExpectedError> {
    const { withTimeout } = this.#services
    const reading = Effect.suspend(() => this.#readInput(handler))
    const handle = (input: DecodedInput) => this.handle(input)
    return limited === "input"
      ? Effect.flatMap(withTimeout(reading), handle)
      : withTimeout(Effect.flatMap(reading, handle))
  }

  get caller(): Caller {
    return this.#known ?? anonymousCaller
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

const answerCall = (handler: BoundHandler, call: ContractCall) => call.answer(handler)
const countCall = (caller: Caller, call: ContractCall) => call.count(caller)
const runCall = (_: void, call: ContractCall) => call.run()
const decodeCall = (_: void, call: ContractCall) => call.decode()
const handleCall = (input: DecodedInput, call: ContractCall) => call.handle(input)
