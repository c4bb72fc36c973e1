/** Routes a request, counts its cost, and records its outcome. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as HttpClient from "effect/http/HttpClient"
import type { Caller } from "../../tenants/auth/Caller.ts"
import { type TakenUsage, UsageLimiter } from "../../tenants/auth/rateLimits/UsageLimiter.ts"
import { Catalog } from "../../engine/catalog/Catalog.ts"
import { SpendCounters } from "../../engine/ledger/SpendCounters.ts"
import { annotateRequest } from "../../engine/observability/tracing/toGenAiAttributes.ts"
import { isTraced } from "../../engine/observability/tracing/withSpan.ts"
import { Generations } from "../../engine/observability/generations/Generations.ts"
import * as NanoUsd from "../../values/usage/NanoUsd.ts"
import { evaluate, isExit, isSuccess } from "../../values/eager.ts"
import type { GenerationId } from "../../values/ids/GenerationId.ts"
import { readMonotonicMillis } from "../../values/SteadyTime.ts"
import { type RouteAttempt, sumAttemptUsage } from "../attempt/RouteAttempt.ts"
import type { AnswerCaching } from "../cache/AnswerCaching.ts"
import { type CacheUse, CurrentResponseCacheRules, resolveCacheUse } from "../cache/CacheWish.ts"
import { ResponseCache } from "../cache/ResponseCache.ts"
import type { RouteWork } from "../RouteWork.ts"
import type { RouteObserver, CapabilityTraits, RouteQuery, RouteResult } from "../RouteQuery.ts"
import { Routing, type RoutingError } from "../Routing.ts"
import * as Step from "../../values/Step.ts"
import { type ActiveRequest, EndedRoute, RecordedRoute } from "./RecordedRoute.ts"

type RunRoute<A> = (
  observer: RouteObserver
) => Effect.Effect<RouteResult<A>, RoutingError, HttpClient.HttpClient>

/** Routes requests and records them. */
export class RouteRecorder extends Context.Service<
  RouteRecorder,
  {
    /** Routes the request, beginning when it is called; its record is written once, however it ends. */
    readonly route: <Capability extends CapabilityTraits, A>(
      query: RouteQuery<Capability>,
      work: RouteWork<Capability, A, HttpClient.HttpClient>,
      request: ActiveRequest<A>,
      /** Routes it in another way than `Routing.route`. */
      run?: RunRoute<A>
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
      const clock = yield* Clock.Clock
      const { begin, isLimited } = yield* UsageLimiter
      const cache = yield* Effect.serviceOption(ResponseCache)
      const cacheRules = yield* CurrentResponseCacheRules

      const countCost = (
        caller: Caller,
        id: GenerationId,
        { chargedAt, cost, upstreamCost }: RouteAttempt
      ): Effect.Effect<void> => {
        const charged = upstreamCost ?? cost
        if (charged === undefined || charged === NanoUsd.zero) return Effect.void
        let counting: Effect.Effect<void>
        try {
          counting = counters.record(caller, charged, upstreamCost !== undefined, chargedAt)
        } catch (defect) {
          counting = Exit.die(defect)
        }
        return isSuccess(counting) ? counting : logUncounted(counting, id)
      }

      const record = <A>(
        recorded: RecordedRoute<A>,
        exit: Exit.Exit<RouteResult<A>, RoutingError>
      ): Effect.Effect<void> => {
        const { planned, request } = recorded
        if (planned?.affinity?.key !== undefined) {
          routing.end(planned, Exit.isSuccess(exit) ? exit.value : undefined)
        }
        const latencyMillis = readMonotonicMillis(clock) - recorded.startedAt
        const ended = new EndedRoute(recorded, exit, latencyMillis, catalog.current().version)
        // Experiments measure providers.
        if (Exit.isFailure(exit) || exit.value.cached === undefined) request.onEnd?.(exit)
        return isTraced()
          ? Effect.andThen(annotateSpan(ended), () => generations.add(ended))
          : generations.add(ended)
      }

      const answerCached = <Capability extends CapabilityTraits, A>(
        observer: RecordedRoute<A, Capability>,
        caching: Effect.Effect<AnswerCaching<A>>,
        use: CacheUse,
        work: RouteWork<Capability, A, HttpClient.HttpClient>,
        run: RunRoute<A> = (recorded) => routing.route(observer.query, work, recorded)
      ): Effect.Effect<RouteResult<A>, RoutingError, HttpClient.HttpClient> => {
        const { query, request } = observer
        const { id } = request
        return Option.match(cache, {
          onNone: () => run(observer),
          onSome: ({ answer }) =>
            answer({ id, query, caching, use, observer, route: () => run(observer) })
        })
      }

      const routeNow: RouteRecorder["Service"]["route"] = (query, work, request, run) => {
        const recorded = new RecordedRoute(query, request, countCost, readMonotonicMillis(clock))
        request.listener?.onRecordId?.(request.id)
        if (query.filtered !== undefined) request.listener?.onFilter?.(query.filtered)
        const blocked = query.filtered?.blocked
        const use = resolveCacheUse(request.listener?.cache, query.cache, cacheRules)
        const caching = use && work.caching
        const routed =
          blocked !== undefined
            ? Exit.fail(blocked)
            : use === undefined || caching === undefined
              ? evaluate(() =>
                  run === undefined ? routing.route(query, work, recorded) : run(recorded)
                )
              : answerCached(recorded, caching, use, work, run)
        // Routing leaves the client of a request to its context.
        return Step.onExit(Step.provideService(routed, HttpClient.HttpClient, client), (exit) =>
          record(recorded, exit)
        )
      }

      return {
        route: (query, work, request, run) => {
          // A shadow is the host's own request, and a check part of another one.
          const isPart = query.chargedTo !== undefined || query.budget !== undefined
          if (isPart || !isLimited(query.caller)) {
            return routeNow(query, work, request, run)
          }
          const taking = begin(query.caller, estimateTokens(query))
          const end = ({ end }: TakenUsage) => end(countTokens(request.attempts))
          if (isExit(taking)) {
            return Step.flatMap(taking, (taken) =>
              Step.onExit(
                evaluate(() => routeNow(query, work, request, run)),
                () => end(taken)
              )
            )
          }
          return Effect.uninterruptibleMask((restore) =>
            Effect.flatMap(taking, (taken) =>
              Effect.onExit(
                restore(Effect.suspend(() => routeNow(query, work, request, run))),
                () => end(taken)
              )
            )
          )
        }
      }
    })
  )
}

const logUncounted = (counting: Effect.Effect<void>, id: GenerationId): Effect.Effect<void> =>
  Effect.catchCause(counting, (cause) =>
    Effect.logError(`The cost of ${id} could not be counted`, cause)
  )

/**
 * The prompt, and the answer as long as the request allows, as providers estimate it
 * (https://inference-docs.cerebras.ai/support/rate-limits). An answer without a bound counts once it is there.
 */
const estimateTokens = ({ requirements }: RouteQuery<CapabilityTraits>): number =>
  requirements.inputTokens + requirements.outputTokens

/** What providers reported, or what was estimated where they did not. */
const countTokens = (attempts: ReadonlyArray<RouteAttempt>): number => {
  const usage = sumAttemptUsage(attempts)
  return usage === undefined ? 0 : usage.inputTokens + usage.outputTokens
}

const annotateSpan = <A>({
  generation,
  route: { planned, request }
}: EndedRoute<A>): Effect.Effect<void> =>
  annotateRequest(generation, {
    model: planned?.models[0],
    provider: request.attempts.at(-1)?.candidate.endpoint.provider
  })
