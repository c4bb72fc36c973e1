/** Routes a request, counts its cost, and records its outcome. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as HttpClient from "effect/http/HttpClient"
import { Catalog } from "../../catalog/Catalog.ts"
import { SpendCounters } from "../../ledger/SpendCounters.ts"
import { annotateRequest } from "../../observability/tracing/toGenAiAttributes.ts"
import { Generations } from "../../observability/generations/Generations.ts"
import type { IoContent } from "../../observability/broadcast/IoLog.ts"
import * as NanoUsd from "../../values/usage/NanoUsd.ts"
import type { GenerationId } from "../../values/ids/GenerationId.ts"
import type { RouteAttempt } from "../attempt/RouteAttempt.ts"
import { type AnswerFacts, toGeneration, type RequestLabels } from "./toGeneration.ts"
import type { Operation } from "../Operation.ts"
import type {
  RouteObserver,
  CapabilityTraits,
  PlannedRoute,
  RouteQuery,
  RouteResult
} from "../RouteQuery.ts"
import { Routing, type RoutingError } from "../Routing.ts"

/** A request in progress. */
export interface ActiveRequest<A> {
  readonly id: GenerationId
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  readonly labels: RequestLabels
  readonly isStreamed: boolean
  /** Filled as attempts end. */
  readonly attempts: Array<RouteAttempt>
  readonly listener: RouteObserver | undefined
  readonly toAnswerFacts: (value: A) => AnswerFacts
  /** The request, and as much of the answer as the caller received, in the form of the HTTP API. */
  readonly toContent: (exit: Exit.Exit<RouteResult<A>, RoutingError>) => IoContent
}

/** Routes requests and records them. */
export class RouteRecorder extends Context.Service<
  RouteRecorder,
  {
    /** Routes the request; its record is written once, however it ends. */
    readonly route: <Capability extends CapabilityTraits, A>(
      query: RouteQuery<Capability>,
      operation: Operation<Capability, A, HttpClient.HttpClient>,
      request: ActiveRequest<A>
    ) => Effect.Effect<RouteResult<A>, RoutingError>
  }
>()("@signalbox/core/routing/record/RouteRecorder") {
  static readonly layer = Layer.effect(
    RouteRecorder,
    Effect.gen(function* () {
      const catalog = yield* Catalog
      const routing = yield* Routing
      const generations = yield* Generations
      const counters = yield* SpendCounters
      const client = yield* HttpClient.HttpClient

      return {
        route: (query, operation, request) => {
          const { caller } = query
          const { attempts, id, listener, startedAt, toContent } = request
          listener?.onRecordId?.(id)
          const countCost = ({
            chargedAt,
            cost,
            upstreamCost
          }: RouteAttempt): Effect.Effect<void> => {
            const charged = upstreamCost ?? cost
            return charged === undefined || charged === NanoUsd.zero
              ? Effect.void
              : Effect.catchCause(
                  counters.record(caller, charged, upstreamCost !== undefined, chargedAt),
                  (cause) => Effect.logError(`The cost of ${id} could not be counted`, cause)
                )
          }
          let planned: PlannedRoute | undefined
          const observer: RouteObserver = {
            onPlan: (made) => {
              planned = made
              listener?.onPlan(made)
            },
            onAttempt: (attempted) => {
              attempts.push(attempted)
              listener?.onAttempt(attempted)
            },
            onCharge: countCost
          }
          const recordOutcome = (exit: Parameters<typeof toContent>[0]) =>
            Effect.flatMap(Clock.currentTimeMillis, (now) => {
              const generation = toGeneration({
                ...request,
                caller,
                operation: query.operation,
                requestedModel: query.models[0],
                latencyMillis: now - startedAt,
                planned,
                configuration: catalog.current().version,
                exit
              })
              const asked = {
                model: planned?.models[0],
                provider: attempts.at(-1)?.candidate.endpoint.provider
              }
              return Effect.andThen(
                annotateRequest(generation, asked),
                generations.record(generation, toContent(exit))
              )
            })
          return routing
            .route(query, operation, observer)
            .pipe(
              Effect.provideService(HttpClient.HttpClient, client),
              Effect.onExit(recordOutcome)
            )
        }
      }
    })
  )
}
