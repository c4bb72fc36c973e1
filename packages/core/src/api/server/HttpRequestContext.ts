/** The context of a request over HTTP. */
import type * as Scope from "effect/Scope"
import type { Caller } from "../../tenants/auth/Caller.ts"
import type { RequestHeaders } from "../body/BodyRequest.ts"
import type { ReadBody } from "../body/readBody.ts"
import type { RequestContext, SearchParams } from "../operation/RequestContext.ts"
import type { RoutingMetadataRecorder } from "../operation/RoutingMetadataRecorder.ts"
import type { IncomingRequest } from "./IncomingRequest.ts"
import type { RouteMatch } from "./routeTable.ts"

export class HttpRequestContext implements RequestContext {
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
