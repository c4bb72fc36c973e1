/** Answers Decisions: routes the questions to an upstream, checks the reply, records what happened. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Random from "effect/Random"
import type { Catalog } from "../../engine/catalog/Catalog.ts"
import { truncateText } from "../../engine/observability/generations/truncateGeneration.ts"
import { withTrace } from "../../engine/observability/tracing/traceContext.ts"
import { ContentFilters, screenBefore } from "../../routing/filters/ContentFilters.ts"
import type { DecisionCapability } from "../../engine/upstreams/DecisionCapability.ts"
import type { Upstream } from "../../engine/upstreams/Upstream.ts"
import { Settings } from "../../instance/Settings.ts"
import { haveSameVerdicts } from "../../questions/Answer.ts"
import { toPresetWish } from "../../routing/cache/CacheWish.ts"
import * as Preferences from "../../routing/Preferences.ts"
import type {
  PlannedRoute,
  PlanReplay,
  RouteObserver,
  RouteQuery,
  RouteResult
} from "../../routing/RouteQuery.ts"
import { Routing, type RoutingError } from "../../routing/Routing.ts"
import type { ModelNotFound, WrongOperation } from "../../routing/RoutingErrors.ts"
import {
  type RouteAttempt,
  sumAnswerCost,
  sumAttemptUsage
} from "../../routing/attempt/RouteAttempt.ts"
import { RouteRecorder } from "../../routing/record/RouteRecorder.ts"
import type { ActiveRequest } from "../../routing/record/RecordedRoute.ts"
import type { AnswerFacts } from "../../routing/record/toGeneration.ts"
import type { NotPermitted } from "../../tenants/auth/AuthErrors.ts"
import type { Caller } from "../../tenants/auth/Caller.ts"
import { makeTraceTagger } from "../../tenants/auth/makeTraceTagger.ts"
import * as Step from "../../values/Step.ts"
import type { InvalidRequest } from "../../values/errors/RequestErrors.ts"
import { toIgnoredRequest } from "../../values/errors/ignoredFields.ts"
import * as GenerationId from "../../values/ids/GenerationId.ts"
import { loadOnce } from "../../values/layerOnDemand.ts"
import * as NanoUsd from "../../values/usage/NanoUsd.ts"
import { Calibrations } from "../calibration/Calibrations.ts"
import type { Calibrator } from "../calibration/Calibrator.ts"
import { Experiments } from "../experiments/Experiments.ts"
import type { Decision } from "./Decision.ts"
import { type CheckedReply, DecisionWork } from "./DecisionWork.ts"
import { estimatePromptTokens, listImages, type ParsedDecision } from "./parseDecisionRequest.ts"

/** How a Decision fails. */
export type DecisionError = InvalidRequest | NotPermitted | RoutingError

/** Routes Decisions. */
export class Decisions extends Context.Service<
  Decisions,
  {
    /** Begins when it is called; interrupting it interrupts the upstream call. `observer` is called as the Decision is routed. */
    readonly submit: (
      caller: Caller,
      parsed: ParsedDecision,
      observer?: RouteObserver
    ) => Effect.Effect<Decision, DecisionError>
    /** The same without content filters, which ask Decisions themselves. */
    readonly submitUnscreened: (
      caller: Caller,
      parsed: ParsedDecision,
      observer: RouteObserver
    ) => Effect.Effect<Decision, DecisionError>
    /** Plans without calling a provider. */
    readonly plan: (
      caller: Caller,
      parsed: ParsedDecision,
      replay?: PlanReplay
    ) => Effect.Effect<PlannedRoute, ModelNotFound | WrongOperation>
  }
>()("@signalbox/core/domains/decisions/Decisions") {
  static readonly layer = Layer.effect(
    Decisions,
    Effect.gen(function* () {
      const calibrations = yield* Calibrations
      const { calibrateDecisions, refuseIgnoredFields, traceTags } = yield* Settings
      const routing = yield* Routing
      const recorder = yield* RouteRecorder
      const experiments = yield* Experiments
      const filters = yield* ContentFilters
      const loadTexts = loadOnce(async () => (await import("./decisionTexts.ts")).decisionTexts)
      const context = yield* Effect.context<Calibrations | Catalog | Routing>()
      const loadEscalation = loadOnce(async () => {
        const { makeDecisionEscalation } = await import("./escalation/makeDecisionEscalation.ts")
        return Effect.runPromiseWith(context)(makeDecisionEscalation)
      })

      const random = yield* Random.Random
      const clock = yield* Clock.Clock

      const addTraceTags = makeTraceTagger(traceTags)
      const toQuery = (caller: Caller, parsed: ParsedDecision) =>
        toDecisionQuery(addTraceTags(caller, parsed.request.trace), parsed)

      const submitScreened = (
        caller: Caller,
        parsed: ParsedDecision,
        listener: RouteObserver | undefined
      ): Effect.Effect<Decision, DecisionError> => {
        const { calibration, questions } = parsed.request
        const { ignored } = parsed
        if (ignored !== undefined) {
          listener?.onIgnored?.(ignored)
          if (listener?.isStrict ?? refuseIgnoredFields)
            return Effect.fail(toIgnoredRequest(ignored))
        }
        const isCalibrated =
          (calibration === undefined ? calibrateDecisions : calibration.mode === "auto") ||
          parsed.fallbacks?.escalation?.rule.type === "relative_accuracy"
        return isCalibrated
          ? Effect.flatMap(calibrations.prepare(caller.account, questions), (calibrator) =>
              route(caller, parsed, listener, calibrator)
            )
          : route(caller, parsed, listener)
      }
      const submit = screenBefore(filters, loadTexts, submitScreened)

      const route = (
        caller: Caller,
        parsed: ParsedDecision,
        listener: RouteObserver | undefined,
        calibrator?: Calibrator
      ): Effect.Effect<Decision, DecisionError> => {
        const id = GenerationId.drawDecisionId(clock, random)
        const { request } = parsed
        const requested = toQuery(caller, parsed)
        const work = new DecisionWork(parsed, calibrator)
        const participation = experiments.enter(requested, request, id)
        const query = participation?.query ?? requested
        const attempts: Array<RouteAttempt> = []
        const startedAt = clock.currentTimeMillisUnsafe()
        const escalation = parsed.fallbacks?.escalation
        const runStages =
          escalation &&
          ((observer: RouteObserver) =>
            Step.flatMap(loadEscalation(), (escalateDecision) =>
              escalateDecision({ parsed, escalation, query, observer, calibrator })
            ))
        const active = {
          id,
          startedAt,
          labels: request,
          requestedModel: request.model,
          experiment: participation?.label,
          preset: parsed.preset?.id,
          isStreamed: false,
          attempts,
          listener,
          toAnswerFacts,
          toContent: (exit: Exit.Exit<RouteResult<CheckedReply>, unknown>) => ({
            bytes: parsed.bytes,
            input: { state: request.state, questions: request.questions },
            ...(Exit.isSuccess(exit) ? { output: exit.value.value.answers } : undefined)
          }),
          onEnd:
            participation &&
            ((exit: Exit.Exit<RouteResult<CheckedReply>, unknown>) => {
              participation.count(attempts, startedAt)
              if (!participation.isShadowed || Exit.isFailure(exit)) return
              const { answers } = exit.value.value
              participation.sendCopy(work, (copy) => haveSameVerdicts(answers, copy.answers))
            })
        } satisfies ActiveRequest<CheckedReply>
        return Step.map(recorder.route(query, work, active, runStages), (routed) => {
          const { calibrated } = routed.value
          if (calibrated !== undefined) listener?.onCalibration?.(calibrated.applied)
          return toDecision(id, routed, attempts)
        })
      }

      const traced =
        (run: typeof submit) =>
        (caller: Caller, parsed: ParsedDecision, observer?: RouteObserver) =>
          withTrace(() => run(caller, parsed, observer), parsed.request.trace, "decision", observer)

      return {
        submit: traced(submit),
        submitUnscreened: traced(submitScreened),
        plan: (caller, parsed, replay) => {
          const query = toQuery(caller, parsed)
          const planning = routing.plan(query, replay)
          const escalation = parsed.fallbacks?.escalation
          return escalation === undefined
            ? planning
            : Effect.flatMap(planning, (planned) =>
                // The health is of all models, because the other one is a fallback of the first.
                Effect.map(
                  routing.plan({ ...query, models: escalation.to }, planned),
                  (again): PlannedRoute => ({ ...planned, escalation: again })
                )
              )
        }
      }
    })
  ).pipe(Layer.provide(RouteRecorder.layer))
}

const toDecisionQuery = (
  caller: Caller,
  { budget, bytes, fallbacks, filtered, ignored, preset, request }: ParsedDecision
): RouteQuery<DecisionCapability> => ({
  caller,
  models: fallbacks === undefined ? [request.model] : [request.model, ...fallbacks.fallbacks],
  operation: "decisions",
  capability: getDecisionCapability,
  ...(request.user === undefined ? undefined : { externalUser: request.user }),
  ...(filtered === undefined ? undefined : { filtered }),
  ...(budget === undefined ? undefined : { budget }),
  ...(preset === undefined ? undefined : { cache: toPresetWish(preset) }),
  preferences: request.provider ?? Preferences.none,
  // Answers are a few numbers.
  requirements: {
    parameters: [],
    ...(ignored === undefined ? undefined : { ignoredParameters: ignored }),
    inputTokens: estimatePromptTokens(request, bytes),
    outputTokens: 0,
    images: listImages(request.state).length
  }
})

const getDecisionCapability = ({ decisions }: Upstream): DecisionCapability | undefined => decisions

const toDecision = (
  id: GenerationId.GenerationId,
  { candidate, value: { answers, reply } }: RouteResult<CheckedReply>,
  attempts: ReadonlyArray<RouteAttempt>
): Decision => {
  const cost = sumAnswerCost(attempts)
  const usage = sumAttemptUsage(attempts) ?? reply.usage
  const tokens = { input_tokens: usage.inputTokens, output_tokens: usage.outputTokens }
  return {
    id,
    model: candidate.endpoint.model,
    provider: candidate.providerName,
    answers,
    usage: cost === undefined ? tokens : { ...tokens, cost: NanoUsd.toUsdNumber(cost) }
  }
}

/** What the answers of a Decision add to its record. */
const toAnswerFacts = ({
  answers,
  calibrated,
  escalation,
  reply: { id, labelMass, method, model, serviceTier }
}: CheckedReply): AnswerFacts => {
  const facts: { -readonly [K in keyof AnswerFacts]: AnswerFacts[K] } = { model, method }
  if (id !== undefined) facts.upstreamId = truncateText(id)
  if (serviceTier !== undefined) facts.serviceTier = truncateText(serviceTier)
  if (labelMass !== undefined) facts.labelMass = labelMass
  if (calibrated !== undefined) facts.labelable = calibrated.labelable
  if (escalation !== undefined) {
    const { failed, questions, threshold, to } = escalation
    facts.escalation = {
      to: truncateText(to),
      asked: questions.length,
      questions: Object.keys(answers).length,
      ...(failed === undefined ? undefined : { failed }),
      ...(threshold === undefined || threshold === Infinity ? undefined : { threshold })
    }
  }
  return facts
}
