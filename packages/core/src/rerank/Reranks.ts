/** Reranks documents: routes the query to an upstream, checks the results, records what happened. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Random from "effect/Random"
import type { NotPermitted } from "../auth/AuthErrors.ts"
import type { Caller } from "../auth/Caller.ts"
import { requireModelAccess } from "../auth/permissions.ts"
import { truncateText } from "../observability/generations/truncateGeneration.ts"
import { withTrace } from "../observability/tracing/withTrace.ts"
import { type RouteAttempt, sumAttemptUsage, sumCost } from "../routing/attempt/RouteAttempt.ts"
import * as Preferences from "../routing/Preferences.ts"
import { RouteRecorder } from "../routing/record/RouteRecorder.ts"
import type { AnswerFacts } from "../routing/record/toGeneration.ts"
import type { PlannedRoute, PlanReplay, RouteObserver, RouteQuery } from "../routing/RouteQuery.ts"
import { Routing, type RoutingError } from "../routing/Routing.ts"
import type { ModelNotFound, WrongOperation } from "../routing/RoutingErrors.ts"
import type { RerankCapability, RerankReply } from "../upstreams/RerankCapability.ts"
import type { Upstream } from "../upstreams/Upstream.ts"
import * as GenerationId from "../values/ids/GenerationId.ts"
import * as NanoUsd from "../values/usage/NanoUsd.ts"
import { makeRerankOperation, type RankedReply } from "./makeRerankOperation.ts"
import type { ParsedRerank } from "./parseRerankRequest.ts"
import type { Ranking } from "./Ranking.ts"

/** How a rerank fails. */
export type RerankError = NotPermitted | RoutingError

/** Routes reranks, among the endpoints of one model: scores of two models cannot be compared. */
export class Reranks extends Context.Service<
  Reranks,
  {
    /** Begins when it is called; interrupting it interrupts the upstream call. `observer` is called as it is routed. */
    readonly submit: (
      caller: Caller,
      parsed: ParsedRerank,
      observer?: RouteObserver
    ) => Effect.Effect<Ranking, RerankError>
    /** Plans without calling a provider. */
    readonly plan: (
      caller: Caller,
      parsed: ParsedRerank,
      replay?: PlanReplay
    ) => Effect.Effect<PlannedRoute, ModelNotFound | WrongOperation>
  }
>()("@signalbox/core/rerank/Reranks") {
  static readonly layer = Layer.effect(
    Reranks,
    Effect.gen(function* () {
      const routing = yield* Routing
      const recorder = yield* RouteRecorder
      const random = yield* Random.Random
      const clock = yield* Clock.Clock

      const submit = (
        caller: Caller,
        parsed: ParsedRerank,
        listener: RouteObserver | undefined
      ): Effect.Effect<Ranking, RerankError> =>
        Effect.flatMapEager(requireModelAccess(caller), () => {
          const id = GenerationId.drawRerankId(clock, random)
          const attempts: Array<RouteAttempt> = []
          const routed = recorder.route(
            toRerankQuery(caller, parsed),
            makeRerankOperation(parsed),
            {
              id,
              startedAt: clock.currentTimeMillisUnsafe(),
              labels: parsed.request,
              isStreamed: false,
              attempts,
              listener,
              toAnswerFacts,
              toContent: (exit) => ({
                bytes: parsed.bytes,
                input: {
                  ...parsed.parameters,
                  query: parsed.request.query,
                  documents: parsed.documents,
                  top_n: parsed.topN
                },
                ...(Exit.isSuccess(exit)
                  ? { output: toResults(parsed, exit.value.value) }
                  : undefined)
              })
            }
          )
          return Effect.mapEager(routed, ({ candidate, value }) => ({
            id,
            model: candidate.endpoint.model,
            provider: candidate.providerName,
            results: toResults(parsed, value),
            usage: toRankingUsage(attempts, value.reply)
          }))
        })

      return {
        submit: (caller, parsed, observer) =>
          withTrace(() => submit(caller, parsed, observer), parsed.request.trace, "rerank"),
        plan: (caller, parsed, replay) => routing.plan(toRerankQuery(caller, parsed), replay)
      }
    })
  ).pipe(Layer.provide(RouteRecorder.layer))
}

const toAnswerFacts = ({ reply: { id, model } }: RankedReply): AnswerFacts =>
  id === undefined ? { model } : { model, upstreamId: truncateText(id) }

/** With the documents of the request: providers return them in different forms, or not at all. */
const toResults = ({ documents }: ParsedRerank, { results }: RankedReply): Ranking["results"] =>
  results.map(({ index, score }) => ({
    index,
    relevance_score: score,
    // `rankResults` has checked the index.
    document: documents[index]!
  }))

/** The sum over all attempts. A provider that bills search units may count no tokens. */
const toRankingUsage = (
  attempts: ReadonlyArray<RouteAttempt>,
  { searchUnits }: RerankReply
): Ranking["usage"] => {
  const { inputTokens = 0 } = sumAttemptUsage(attempts) ?? {}
  const cost = sumCost(attempts)
  return {
    ...(searchUnits === undefined ? undefined : { search_units: searchUnits }),
    ...(searchUnits !== undefined && inputTokens === 0 ? undefined : { total_tokens: inputTokens }),
    ...(cost === undefined ? undefined : { cost: NanoUsd.toUsdNumber(cost) })
  }
}

const toRerankQuery = (
  caller: Caller,
  { images, longestTokens, parameters, request }: ParsedRerank
): RouteQuery<RerankCapability> => ({
  caller,
  models: [request.model],
  operation: "rerank",
  capability: getRerankCapability,
  preferences: request.provider ?? Preferences.none,
  requirements: {
    parameters: Object.keys(parameters),
    // Each document must fit into the context on its own, with the query.
    inputTokens: longestTokens,
    outputTokens: 0,
    images
  }
})

const getRerankCapability = ({ rerank }: Upstream): RerankCapability | undefined => rerank
