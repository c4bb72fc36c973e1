/** The HTTP server as one effect from request to response. */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpServerError from "effect/http/HttpServerError"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { InternHostService } from "../../interns/host/InternHost.ts"
import { makeRequestMatcher } from "./makeRequestMatcher.ts"
import { Drain } from "../../Drain.ts"
import { findErrorRules } from "./findErrorRules.ts"
import { toErrorResponseFromCause } from "../errors/toErrorResponseFromCause.ts"
import { renderError } from "../errors/renderError.ts"
import { BodyInflater } from "../body/BodyInflater.ts"
import { Mount } from "./Mount.ts"
import { observeRequest } from "./observeRequest.ts"
import { loadOnce } from "../../values/loadOnce.ts"
import { makeReferencePage } from "../reference/makeReferencePage.ts"
import { makeContractResponder } from "./ContractResponder.ts"
import { respondProbe } from "./respondProbe.ts"
import { makeDecisionResponder } from "./DecisionResponder.ts"
import { respondUnmatched } from "./respondUnmatched.ts"

/** Responds to the requests of the HTTP API. */
export class App extends Context.Service<
  App,
  {
    /** Responds to any request, with 404 if no operation matches. Never fails. */
    readonly respond: Effect.Effect<
      HttpServerResponse.HttpServerResponse,
      never,
      HttpServerRequest.HttpServerRequest | Scope.Scope
    >
    /** Adapters start their fibers in this scope. It closes with the instance, once the drain is over. */
    readonly scope: Scope.Scope
  }
>()("@signalbox/core/http/server/App") {
  static readonly layer = Layer.effect(
    App,
    Effect.gen(function* () {
      const decision = yield* makeDecisionResponder
      const contract = yield* makeContractResponder
      const reference = yield* makeReferencePage
      const matchRequest = makeRequestMatcher(yield* InternHostService)
      const { drain, isDraining, isReady, scope } = yield* Drain
      const dispatch = Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
        const matched = matchRequest(request)
        switch (matched?.handler.route) {
          case "decision":
            return decision
          case "document":
            return openApiResponse
          case "reference":
            return reference
          case "probe":
            return Effect.sync(() => respondProbe(matched.handler, isReady()))
          case "contract":
            return contract(matched)
          case undefined:
            return respondUnmatched
        }
      })
      const inflating = yield* BodyInflater
      // Ends running requests before the services that they use close.
      yield* Effect.addFinalizer(() => drain(0))
      return {
        // Interruptible, so a client disconnect or a closing instance cancels the upstream call.
        respond: observeRequest(
          Effect.catchCause(Effect.interruptible(dispatch), (cause) =>
            respondToCause(cause, isDraining(), matchRequest)
          ).pipe(Effect.provideService(BodyInflater, inflating)),
          (request) => matchRequest(request)?.handler.path
        ),
        scope
      }
    })
  )
}

const respondToCause = (
  cause: Cause.Cause<unknown>,
  isDraining: boolean,
  matchRequest: ReturnType<typeof makeRequestMatcher>
) => {
  if (Cause.hasInterruptsOnly(cause) && isClientAbort(cause)) return Effect.interrupt
  return Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
    const rules = findErrorRules(matchRequest(request)?.handler)
    return Effect.map(toErrorResponseFromCause(cause, isDraining, rules), (response) =>
      renderError(response)
    )
  })
}

const isClientAbort = ({ reasons }: Cause.Cause<unknown>): boolean =>
  reasons.some(({ annotations }) => annotations.has(HttpServerError.ClientAbort.key))

const loadDocument = loadOnce(() => import("../reference/makeOpenApiDocument.ts"))

const openApiResponse = Effect.flatMap(Mount, (mount) =>
  Effect.map(loadDocument(), ({ makeOpenApiDocument }) =>
    HttpServerResponse.jsonUnsafe(makeOpenApiDocument(mount))
  )
)
