/** The whole service as one effect from request to response; it never fails. */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpServer from "effect/http/HttpServer"
import * as HttpServerError from "effect/http/HttpServerError"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import type { Catalog } from "../catalog/Catalog.ts"
import type { Decisions } from "../decisions/Decisions.ts"
import type { Health } from "../health/Health.ts"
import type { Admission } from "./Admission.ts"
import { RoutedApi } from "./api/Api.ts"
import { authenticationLayer } from "./authenticationLayer.ts"
import { Drain } from "./Drain.ts"
import { notFound } from "./errors/refusalOf.ts"
import { refusalOfCause } from "./errors/refusalOfCause.ts"
import { refuse } from "./errors/refuse.ts"
import { Mount } from "./Mount.ts"
import { ownRouter } from "./ownRouter.ts"
import { openApiDocument } from "./openApiDocument.ts"
import { operationsHandlers } from "./operationsHandlers.ts"
import { makeReferencePage } from "./referencePage.ts"
import { respondDecision } from "./respondDecision.ts"
import { match } from "./routes.ts"

const contract = HttpApiBuilder.layer(RoutedApi).pipe(
  Layer.provide([operationsHandlers, HttpServer.layerServices]),
  Layer.provide(authenticationLayer)
)

export class App extends Context.Service<
  App,
  {
    /** Answers every request; those that are not ours with 404. Never fails. */
    readonly respond: Effect.Effect<
      HttpServerResponse.HttpServerResponse,
      never,
      HttpServerRequest.HttpServerRequest | Scope.Scope
    >
    /** Closes with the box: fibers an adapter starts belong into it. */
    readonly scope: Scope.Scope
  }
>()("@signalbox/core/http/App") {
  static readonly layer: Layer.Layer<App, never, Admission | Catalog | Decisions | Drain | Health> =
    Layer.effect(
      App,
      Effect.gen(function* () {
        const decision = yield* respondDecision
        const reference = yield* makeReferencePage
        const router = yield* ownRouter(contract)
        const dispatch = Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ method, url }) => {
          switch (match(method, url)) {
            case "decision":
              return decision
            case "document":
              return document
            case "reference":
              return reference
            case "contract":
              return router
            case undefined:
              return unmatched
          }
        })
        const { isDraining } = yield* Drain
        return {
          // Interruptible: the caller leaving, or the box closing, ends the work at the upstream.
          respond: Effect.catchCause(Effect.interruptible(dispatch), (cause) =>
            respondToCause(cause, isDraining())
          ),
          scope: yield* Effect.scope
        }
      })
    )
}

const respondToCause = (cause: Cause.Cause<unknown>, isDraining: boolean) => {
  if (Cause.hasInterruptsOnly(cause) && hasCallerLeft(cause)) return Effect.interrupt
  const isMissing = cause.reasons.some(
    (reason) =>
      Cause.isFailReason(reason) &&
      HttpServerError.isHttpServerError(reason.error) &&
      reason.error.reason._tag === "RouteNotFound"
  )
  return isMissing ? unmatched : Effect.map(refusalOfCause(cause, isDraining), refuse)
}

const hasCallerLeft = ({ reasons }: Cause.Cause<unknown>): boolean =>
  reasons.some(({ annotations }) => annotations.has(HttpServerError.ClientAbort.key))

const document = Effect.map(Mount, (mount) => HttpServerResponse.jsonUnsafe(openApiDocument(mount)))

const unmatched = Effect.succeed(refuse(notFound))
