/** The HTTP server as a function from request to response. */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as HttpServerError from "effect/http/HttpServerError"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { type InternHost, InternHostService } from "../../domains/interns/host/InternHost.ts"
import { Drain } from "../../instance/Drain.ts"
import { type StorageReport, StorageStatus } from "../../instance/StorageStatus.ts"
import * as Step from "../../values/Step.ts"
import { evaluate } from "../../values/eager.ts"
import { InvalidRequest } from "../../values/errors/RequestErrors.ts"
import { StoreUnavailable } from "../../values/errors/StoreUnavailable.ts"
import { loadOnce } from "../../values/layerOnDemand.ts"
import type { OperationId } from "../Api.ts"
import { type Operation, toOperationId } from "../contract/Operation.ts"
import type { ErrorResponse } from "../errors/ErrorResponse.ts"
import { Draining, UnknownOperation, UnknownPath } from "../errors/HttpErrors.ts"
import {
  renderError,
  toErrorResponse,
  toErrorResponseFromCause
} from "../errors/toErrorResponse.ts"
import type { AnyResponse } from "../operation/JsonAnswer.ts"
import { makeReferencePage } from "../reference/makeReferencePage.ts"
import { makeContractResponder } from "./ContractResponder.ts"
import {
  findErrorRules,
  findHostname,
  hasMalformedEncoding,
  type IncomingRequest,
  normalizeHostname,
  type Respond
} from "./IncomingRequest.ts"
import { makeFailureRecorder } from "./makeFailureRecorder.ts"
import { makeRequestLog } from "./observeRequest.ts"
import {
  isServedPath,
  matchRoute,
  openApiDocument,
  operations,
  referencePage,
  type RoutedPath,
  routedPaths,
  type RouteMatch
} from "./routeTable.ts"

/** Responds to the requests of the HTTP API. Its functions never fail. */
export class App extends Context.Service<
  App,
  {
    /** Whether it responds to a request, if only with 404. `path` is below the mount and may have a query. */
    readonly match: (method: string, path: string) => boolean
    /** The routes to register with a host's router; they cover everything that `match` accepts. */
    readonly routes: ReadonlyArray<RoutedPath>
    /** Responds to any request, with 404 if no operation matches. */
    readonly respond: Respond
    /** Responds with 404 to a path outside the mount, for hosts without another handler. */
    readonly respondNotFound: Respond
    /** Responds to requests that arrive while the instance closes, in the error envelope of their operation. */
    readonly respondDraining: Respond
    /** Adapters end their requests with this scope. It closes with the instance, once the drain is over. */
    readonly scope: Scope.Scope
  }
>()("@signalbox/core/api/server/App") {
  static readonly layer = Layer.effect(
    App,
    Effect.gen(function* () {
      const respondContract = yield* makeContractResponder
      const recordFailure = yield* makeFailureRecorder
      const respondReference = yield* makeReferencePage
      const matchRequest = makeRequestMatcher(yield* InternHostService)
      const { drain, isDraining, isReady, scope } = yield* Drain
      const storage = yield* StorageStatus
      const withLog = yield* makeRequestLog
      const findPath = (request: IncomingRequest) => matchRequest(request)?.operation.path
      const dispatch = (
        request: IncomingRequest,
        matched: RouteMatch | undefined
      ): Effect.Effect<AnyResponse> => {
        if (matched === undefined) {
          const response = toUnmatchedResponse(request)
          recordFailure(request, undefined, undefined, response)
          return Effect.succeed(renderError(response, request))
        }
        const { operation } = matched
        switch (operation) {
          case openApiDocument:
            return respondDocument(request.mount)
          case referencePage:
            return respondReference(request.mount)
        }
        return isProbe(operation)
          ? Effect.succeed(respondProbe(operation, isReady(), storage.report().outage))
          : respondContract(matched, request)
      }
      const respond: Respond = (request) => {
        const matched = matchRequest(request)
        const dispatched = Step.interruptible(evaluate(() => dispatch(request, matched)))
        // A client disconnect or a closing instance cancels the upstream call, but not what follows.
        return Step.thenUninterruptibly(dispatched, (exit) =>
          Exit.isSuccess(exit)
            ? exit
            : respondToCause(exit.cause, isDraining(), request, matched?.operation, (response) =>
                recordFailure(request, matched?.operation, undefined, response)
              )
        )
      }
      // Ends running requests before the services that they use close.
      yield* Effect.addFinalizer(() => drain(0))
      return {
        match: isServedPath,
        routes: routedPaths,
        respond: withLog(respond, findPath),
        respondNotFound: withLog(
          (request) =>
            Effect.succeed(
              renderError(toErrorResponse(toUnknownPath(request.url, request.mount)), request)
            ),
          () => undefined
        ),
        respondDraining: withLog((request) => {
          const operation = matchRequest(request)?.operation
          return Effect.succeed(
            operation !== undefined && isProbe(operation)
              ? respondProbe(operation, false)
              : renderError(
                  toErrorResponse(new Draining(), findErrorRules(operation, request)),
                  request
                )
          )
        }, findPath),
        scope
      }
    })
  )
}

const respondToCause = (
  cause: Cause.Cause<unknown>,
  isDraining: boolean,
  request: IncomingRequest,
  operation: Operation | undefined,
  record: (response: ErrorResponse) => void
) =>
  Cause.hasInterruptsOnly(cause) && isClientAbort(cause)
    ? Effect.interrupt
    : Effect.map(
        toErrorResponseFromCause(cause, isDraining, findErrorRules(operation, request)),
        (response) => {
          record(response)
          return renderError(response, request)
        }
      )

const isClientAbort = ({ reasons }: Cause.Cause<unknown>): boolean =>
  reasons.some(({ annotations }) => annotations.has(HttpServerError.ClientAbort.key))

const loadDocument = loadOnce(() => import("../reference/makeOpenApiDocument.ts"))

const respondDocument = (mount: string) =>
  Effect.map(loadDocument(), ({ makeOpenApiDocument }) =>
    HttpServerResponse.jsonUnsafe(makeOpenApiDocument(mount))
  )

/** Does not look up the intern, because only an admitted caller may learn whether it exists. */
const makeRequestMatcher = (host: Pick<InternHost, "domain"> | undefined) => {
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

const isProbe = ({ group }: Operation): boolean => group === "probes"

/**
 * Liveness stays true during shutdown, because a restart would cut off running requests, and without storage, because a
 * restart would not bring it back.
 */
const respondProbe = (
  { name }: Pick<Operation, "name">,
  isReady: boolean,
  outage?: StorageReport["outage"]
): HttpServerResponse.HttpServerResponse => {
  if (name === "live") return HttpServerResponse.jsonUnsafe({ status: "live" })
  if (!isReady) return renderError(toErrorResponse(new Draining()))
  return outage === undefined
    ? HttpServerResponse.jsonUnsafe({ status: "ready" })
    : renderError(toErrorResponse(new StoreUnavailable({ cause: outage.reason })))
}

/** The error of a request that matches no operation. */
const toUnmatchedResponse = (request: IncomingRequest): ErrorResponse =>
  toErrorResponse(toUnmatchedError(request), findErrorRules(undefined, request))

const toUnmatchedError = ({ method, mount, url }: IncomingRequest) => {
  if (!isServedPath(method, url)) return toUnknownPath(url, mount)
  const [path = ""] = url.split("?")
  return hasMalformedEncoding(path)
    ? new InvalidRequest({ path: [], problem: "the path is not valid percent-encoding" })
    : new UnknownOperation({ method, path })
}

/** `url` is the URL as the host passed it on. `mount` is the configured mount; empty at the root. */
const toUnknownPath = (url: string, mount: string): UnknownPath => {
  const advice = explainMount(url, mount)
  return advice === undefined ? new UnknownPath({}) : new UnknownPath({ advice })
}

const explainMount = (url: string, mount: string): string | undefined => {
  if (isServedPath("GET", url)) {
    return mount === ""
      ? undefined
      : `the path does not begin with the mount ${mount}; if a router takes that off, mount Signalbox at the root, or pass on the original request`
  }
  const [, prefix] = behindPrefix.exec(url) ?? []
  return prefix === undefined || prefix === mount
    ? undefined
    : `the path begins with ${prefix}, which is not the mount of Signalbox; say so with app.use("${prefix}", ...), { prefix: "${prefix}" } or { mount: "${prefix}" }, not with a route`
}

const behindPrefix = /^(\/[^?#]{1,200}?)\/api\/(?:v1|alpha)(?:[/?]|$)/
