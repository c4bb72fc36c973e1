/** The HTTP server as a function from request to response. */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as HttpServerError from "effect/http/HttpServerError"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { InternHostService } from "../../domains/interns/host/InternHost.ts"
import { makeRequestMatcher } from "./makeRequestMatcher.ts"
import { Drain } from "../../instance/Drain.ts"
import { StorageStatus } from "../../instance/StorageStatus.ts"
import { findErrorRules } from "./findErrorRules.ts"
import type { Operation } from "../contract/Operation.ts"
import { Draining } from "../errors/HttpErrors.ts"
import { toUnknownPath } from "./explainMount.ts"
import { toErrorResponse } from "../errors/toErrorResponse.ts"
import { toErrorResponseFromCause } from "../errors/toErrorResponseFromCause.ts"
import type { ErrorResponse } from "../errors/ErrorResponse.ts"
import { renderError } from "../errors/renderError.ts"
import type { AnyResponse } from "../operation/JsonAnswer.ts"
import type { IncomingRequest, Respond } from "./IncomingRequest.ts"
import { makeRequestLog } from "./observeRequest.ts"
import { evaluate } from "../../values/eager.ts"
import * as Step from "../../values/Step.ts"
import { loadOnce } from "../../values/loadOnce.ts"
import { makeReferencePage } from "../reference/makeReferencePage.ts"
import { makeContractResponder } from "./ContractResponder.ts"
import { isProbe, respondProbe } from "./respondProbe.ts"
import { makeFailureRecorder } from "./makeFailureRecorder.ts"
import {
  isServedPath,
  openApiDocument,
  referencePage,
  type RoutedPath,
  routedPaths,
  type RouteMatch
} from "./routeTable.ts"
import { toUnmatchedResponse } from "./toUnmatchedResponse.ts"

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
