/** Routes and records requests that one model answers whole, such as embeddings and reranks. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import type * as HttpClient from "effect/http/HttpClient"
import * as Random from "effect/Random"
import type { NotPermitted } from "../../tenants/auth/AuthErrors.ts"
import type { Caller } from "../../tenants/auth/Caller.ts"
import { makeTraceTagger } from "../../tenants/auth/makeTraceTagger.ts"
import type { IoContent } from "../../engine/observability/broadcast/Sink.ts"
import { withTrace } from "../../engine/observability/tracing/traceContext.ts"
import { Settings } from "../../instance/Settings.ts"
import type { GenerationId } from "../../values/ids/GenerationId.ts"
import type { RouteAttempt } from "../attempt/RouteAttempt.ts"
import type { AnswerCaching } from "../cache/AnswerCaching.ts"
import { CurrentResponseCacheRules, resolveCacheUse } from "../cache/CacheWish.ts"
import type { RouteWork } from "../RouteWork.ts"
import type { OneModelRequest } from "../parseOneModelRequest.ts"
import type {
  CapabilityTraits,
  PlannedRoute,
  PlanReplay,
  RouteObserver,
  RouteQuery,
  RouteResult
} from "../RouteQuery.ts"
import { ContentFilters, screenBefore, type ScreenedTexts } from "../filters/ContentFilters.ts"
import { Routing, type RoutingError } from "../Routing.ts"
import type { ModelNotFound, WrongOperation } from "../RoutingErrors.ts"
import { makeOneModelTexts } from "./oneModelTexts.ts"
import { RouteRecorder } from "./RouteRecorder.ts"
import type { AnswerFacts, RequestLabels } from "./toGeneration.ts"
import * as Step from "../../values/Step.ts"

/** The parts that differ from operation to operation. */
interface OneModelRules<Parsed, Capability extends CapabilityTraits, Value, Answer> {
  /** The name of the span of a request that gives none. */
  readonly span: string
  readonly drawId: (clock: Clock.Clock, random: typeof Random.Random.Service) => GenerationId
  /** Receives the id of the request before it is routed. Absent: it is not needed then. */
  readonly onBegin?: (parsed: Parsed, id: GenerationId) => void
  /** Whether the caller receives parts of the answer before its end. Absent: it does not. */
  readonly isStreamed?: (parsed: Parsed) => boolean
  readonly toQuery: (caller: Caller, parsed: Parsed) => RouteQuery<Capability>
  readonly makeWork: (parsed: Parsed) => RouteWork<Capability, Value, HttpClient.HttpClient>
  /** How answers are stored for requests that use the cache; absent: they are not. */
  readonly toCaching?: (parsed: Parsed) => AnswerCaching<Value>
  /**
   * Adds the texts for content filters that are neither parameters nor items. Absent: its items, and what they are compared with,
   * are texts.
   */
  readonly addTexts?: ScreenedTexts<Parsed>["addTexts"]
  readonly toAnswerFacts: (value: Value) => AnswerFacts
  readonly toContent: (
    parsed: Parsed,
    exit: Exit.Exit<RouteResult<Value>, RoutingError>
  ) => IoContent
  readonly toAnswer: (
    id: GenerationId,
    parsed: Parsed,
    routed: RouteResult<Value>,
    attempts: ReadonlyArray<RouteAttempt>
  ) => Answer
}

/** Requests that one model answers. */
export interface OneModelRoute<Parsed, Answer> {
  /** Begins when it is called; interrupting it interrupts the upstream call. `observer` is called as it is routed. */
  readonly submit: (
    caller: Caller,
    parsed: Parsed,
    observer?: RouteObserver
  ) => Effect.Effect<Answer, NotPermitted | RoutingError>
  /** Plans without calling a provider. */
  readonly plan: (
    caller: Caller,
    parsed: Parsed,
    replay?: PlanReplay
  ) => Effect.Effect<PlannedRoute, ModelNotFound | WrongOperation>
}

export const makeOneModelRoute = Effect.fnUntraced(function* <
  Parsed extends OneModelRequest<RequestLabels, unknown>,
  Capability extends CapabilityTraits,
  Value,
  Answer
>(rules: OneModelRules<Parsed, Capability, Value, Answer>) {
  const routing = yield* Routing
  const recorder = yield* RouteRecorder
  const filters = yield* ContentFilters
  const texts = Effect.succeed(makeOneModelTexts(rules.addTexts))
  const random = yield* Random.Random
  const clock = yield* Clock.Clock
  const cacheRules = yield* CurrentResponseCacheRules
  const addTraceTags = makeTraceTagger((yield* Settings).traceTags)
  const toQuery = (caller: Caller, parsed: Parsed) =>
    withParsed(rules.toQuery(addTraceTags(caller, parsed.request.trace), parsed), parsed)

  const submitScreened = (
    caller: Caller,
    parsed: Parsed,
    listener: RouteObserver | undefined
  ): Effect.Effect<Answer, RoutingError> => {
    const id = rules.drawId(clock, random)
    const attempts: Array<RouteAttempt> = []
    rules.onBegin?.(parsed, id)
    const query = toQuery(caller, parsed)
    const work = rules.makeWork(parsed)
    const { toCaching } = rules
    const isCached =
      toCaching !== undefined &&
      resolveCacheUse(listener?.cache, query.cache, cacheRules) !== undefined
    const cachedWork = isCached ? { ...work, caching: Effect.sync(() => toCaching(parsed)) } : work
    const routed = recorder.route(query, cachedWork, {
      id,
      startedAt: clock.currentTimeMillisUnsafe(),
      labels: parsed.request,
      isStreamed: rules.isStreamed?.(parsed) ?? false,
      attempts,
      listener,
      toAnswerFacts: rules.toAnswerFacts,
      toContent: (exit) => rules.toContent(parsed, exit)
    })
    return Step.map(routed, (result) => rules.toAnswer(id, parsed, result, attempts))
  }
  const submit = screenBefore(filters, () => texts, submitScreened)

  const route: OneModelRoute<Parsed, Answer> = {
    submit: (caller, parsed, observer) =>
      withTrace(() => submit(caller, parsed, observer), parsed.request.trace, rules.span, observer),
    plan: (caller, parsed, replay) => routing.plan(toQuery(caller, parsed), replay)
  }
  return route
})

/** With what parsing and content filters have found in every operation. */
const withParsed = <Capability extends CapabilityTraits>(
  query: RouteQuery<Capability>,
  { filtered, ignored }: OneModelRequest<RequestLabels, unknown>
): RouteQuery<Capability> =>
  filtered === undefined && ignored === undefined
    ? query
    : {
        ...query,
        ...(filtered === undefined ? undefined : { filtered }),
        ...(ignored === undefined
          ? undefined
          : { requirements: { ...query.requirements, ignoredParameters: ignored } })
      }
