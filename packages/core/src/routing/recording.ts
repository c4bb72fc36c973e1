/** Routes a request, counts what it costs, and records what became of it, once, whatever that is. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import * as HttpClient from "effect/http/HttpClient"
import { Catalog } from "../catalog/Catalog.ts"
import { SpendCounters } from "../ledger/SpendCounters.ts"
import { annotateRequest } from "../observability/annotateRequest.ts"
import { Generations } from "../observability/Generations.ts"
import type { Content } from "../observability/IoLog.ts"
import * as NanoUsd from "../values/NanoUsd.ts"
import type { GenerationId } from "../values/GenerationId.ts"
import type { Attempted } from "./Attempted.ts"
import { type AnswerFacts, generationOf, type Labels } from "./generationOf.ts"
import type { Observer, Offer, Operation, Planned, Query, Routed } from "./Query.ts"
import { Routing, type RoutingError } from "./Routing.ts"

/** One request under way. */
export interface Underway<A> {
  readonly id: GenerationId
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  readonly labels: Labels
  readonly isStreamed: boolean
  /** Filled as they end. */
  readonly attempts: Array<Attempted>
  readonly listener: Observer | undefined
  readonly factsOf: (value: A) => AnswerFacts
  /** What was asked, and what the caller has of an answer, as the wire has it. */
  readonly contentOf: (exit: Exit.Exit<Routed<A>, RoutingError>) => Content
}

export const recording = Effect.gen(function* () {
  const catalog = yield* Catalog
  const routing = yield* Routing
  const generations = yield* Generations
  const counters = yield* SpendCounters
  const client = yield* HttpClient.HttpClient

  return <Capability extends Offer, A>(
    query: Query<Capability>,
    operation: Operation<Capability, A, HttpClient.HttpClient>,
    { attempts, contentOf, factsOf, id, isStreamed, labels, listener, startedAt }: Underway<A>
  ): Effect.Effect<Routed<A>, RoutingError> => {
    const { caller } = query
    listener?.recorded?.(id)
    const counted = ({ cost, countedAt, upstreamCost }: Attempted): Effect.Effect<void> => {
      const charged = upstreamCost ?? cost
      return charged === undefined || charged === NanoUsd.zero
        ? Effect.void
        : Effect.catchCause(
            counters.record(caller, charged, upstreamCost !== undefined, countedAt),
            (cause) => Effect.logError(`what ${id} cost could not be counted`, cause)
          )
    }
    let planned: Planned | undefined
    const observer: Observer = {
      planned: (made) => {
        planned = made
        listener?.planned(made)
      },
      attempted: (attempted) => {
        attempts.push(attempted)
        listener?.attempted(attempted)
      },
      paid: counted
    }
    const ended = (exit: Exit.Exit<Routed<A>, RoutingError>) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const generation = generationOf({
          id,
          caller,
          operation: query.operation,
          requestedModel: query.models[0],
          labels,
          isStreamed,
          startedAt,
          latencyMillis: now - startedAt,
          planned,
          configuration: catalog.current().version,
          attempts,
          exit,
          factsOf
        })
        const asked = {
          model: planned?.models[0],
          provider: attempts.at(-1)?.candidate.endpoint.provider
        }
        return Effect.andThen(
          annotateRequest(generation, asked),
          generations.ended(generation, contentOf(exit))
        )
      })
    return routing
      .route(query, operation, observer)
      .pipe(Effect.provideService(HttpClient.HttpClient, client), Effect.onExit(ended))
  }
})
