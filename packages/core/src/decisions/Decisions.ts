/** Answers Decisions: routes the questions to an upstream, checks the reply, records what happened. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { constVoid } from "effect/Function"
import type * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Random from "effect/Random"
import * as Result from "effect/Result"
import type { NotPermitted } from "../auth/AuthErrors.ts"
import type { Caller } from "../auth/Caller.ts"
import { requireModelAccess } from "../auth/permissions.ts"
import type { Endpoint } from "../catalog/endpoint/Endpoint.ts"
import { truncateText } from "../observability/generations/truncateGeneration.ts"
import { withTrace } from "../observability/tracing/withTrace.ts"
import type { Answers } from "../questions/Answer.ts"
import { sumCost, sumAttemptUsage } from "../routing/attempt/RouteAttempt.ts"
import * as Preferences from "../routing/Preferences.ts"
import type { AttemptSuccess, Operation } from "../routing/Operation.ts"
import type {
  RouteObserver,
  PlannedRoute,
  RouteQuery,
  PlanReplay,
  RouteResult
} from "../routing/RouteQuery.ts"
import { RouteRecorder } from "../routing/record/RouteRecorder.ts"
import type { AnswerFacts } from "../routing/record/toGeneration.ts"
import { Routing, type RoutingError } from "../routing/Routing.ts"
import type { ModelNotFound, WrongOperation } from "../routing/RoutingErrors.ts"
import type {
  DecisionCall,
  DecisionCapability,
  DecisionReply
} from "../upstreams/DecisionCapability.ts"
import type { Upstream } from "../upstreams/Upstream.ts"
import * as GenerationId from "../values/ids/GenerationId.ts"
import * as NanoUsd from "../values/usage/NanoUsd.ts"
import { getRequestCount, type TokenUsage } from "../values/usage/TokenUsage.ts"
import { checkReply } from "./checkReply.ts"
import { estimatePromptTokens } from "./contentSize.ts"
import type { Decision } from "./Decision.ts"
import { listImages } from "./images.ts"
import type { ParsedDecision } from "./parseDecisionRequest.ts"

/** How a Decision fails. */
export type DecisionError = NotPermitted | RoutingError

interface CheckedReply {
  readonly answers: Answers
  readonly reply: DecisionReply
}

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
    /** Plans without calling a provider. */
    readonly plan: (
      caller: Caller,
      parsed: ParsedDecision,
      replay?: PlanReplay
    ) => Effect.Effect<PlannedRoute, ModelNotFound | WrongOperation>
  }
>()("@signalbox/core/decisions/Decisions") {
  static readonly layer = Layer.effect(
    Decisions,
    Effect.gen(function* () {
      const routing = yield* Routing
      const recorder = yield* RouteRecorder

      const random = yield* Random.Random
      const clock = yield* Clock.Clock

      const submit = (
        caller: Caller,
        parsed: ParsedDecision,
        listener: RouteObserver | undefined
      ): Effect.Effect<Decision, DecisionError> =>
        Effect.flatMapEager(requireModelAccess(caller), () => {
          const id = GenerationId.drawDecisionId(clock, random)
          const { request } = parsed
          const routing = recorder.route(
            toDecisionQuery(caller, parsed),
            makeDecisionOperation(parsed),
            {
              id,
              startedAt: clock.currentTimeMillisUnsafe(),
              labels: request,
              isStreamed: false,
              attempts: [],
              listener,
              toAnswerFacts,
              toContent: (exit) => ({
                bytes: parsed.bytes,
                input: { state: request.state, questions: request.questions },
                ...(Exit.isSuccess(exit) ? { output: exit.value.value.answers } : undefined)
              })
            }
          )
          return Effect.mapEager(routing, (routed) => toDecision(id, routed))
        })

      return {
        submit: (caller, parsed, observer) =>
          withTrace(() => submit(caller, parsed, observer), parsed.request.trace, "decision"),
        plan: (caller, parsed, replay) => routing.plan(toDecisionQuery(caller, parsed), replay)
      }
    })
  ).pipe(Layer.provide(RouteRecorder.layer))
}

const toAnswerFacts = ({
  reply: { id, labelMass, method, model, serviceTier }
}: CheckedReply): AnswerFacts => {
  const facts: { -readonly [K in keyof AnswerFacts]: AnswerFacts[K] } = { model, method }
  if (id !== undefined) facts.upstreamId = truncateText(id)
  if (serviceTier !== undefined) facts.serviceTier = truncateText(serviceTier)
  if (labelMass !== undefined) facts.labelMass = labelMass
  return facts
}

const toDecisionQuery = (
  caller: Caller,
  { bytes, request }: ParsedDecision
): RouteQuery<DecisionCapability> => ({
  caller,
  models: [request.model],
  operation: "decisions",
  capability: getDecisionCapability,
  preferences: request.provider ?? Preferences.none,
  // Answers are a few numbers.
  requirements: {
    parameters: [],
    inputTokens: estimatePromptTokens(request, bytes),
    outputTokens: 0,
    images: listImages(request.state).length
  }
})

type Success = AttemptSuccess<CheckedReply>

const getDecisionCapability = ({ decisions }: Upstream): DecisionCapability | undefined => decisions

const makeDecisionOperation = (
  parsed: ParsedDecision
): Operation<DecisionCapability, CheckedReply, HttpClient.HttpClient> => ({
  prepareWorstCase: parsed.measure,
  getWorstCase: ({ candidate, capability }) =>
    addImages(parsed, capability.estimateWorstCase(toDecisionCall(parsed, candidate.endpoint))),
  getUnreportedUsage: ({ candidate, capability }) => {
    const worst = capability.estimateWorstCase(toDecisionCall(parsed, candidate.endpoint))
    const inputTokens = estimatePromptTokens(parsed.request, parsed.bytes)
    return addImages(parsed, {
      inputTokens: Math.min(inputTokens, worst.inputTokens),
      outputTokens: 0,
      requests: Math.min(1, getRequestCount(worst))
    })
  },
  run: ({ candidate, capability, credential }, spent) =>
    Effect.flatMapEager(
      capability.decide(
        toDecisionCall(parsed, candidate.endpoint, credential, (usage) =>
          spent(addImages(parsed, usage))
        )
      ),
      (reply) => {
        const checked = checkReply(parsed.request.questions, reply)
        if (Result.isFailure(checked)) return Effect.fail(checked.failure)
        const success: { -readonly [K in keyof Success]: Success[K] } = {
          value: { answers: checked.success, reply },
          usage: addImages(parsed, reply.usage)
        }
        if (reply.cost !== undefined) success.cost = reply.cost
        if (reply.model !== undefined) success.model = reply.model
        return Effect.succeed(success)
      }
    )
})

/** Every request to the provider carries all images of the state. */
const addImages = ({ request }: ParsedDecision, usage: TokenUsage): TokenUsage => {
  const images = listImages(request.state).length
  return images === 0 ? usage : { ...usage, images: images * getRequestCount(usage) }
}

const toDecisionCall = (
  parsed: ParsedDecision,
  endpoint: Endpoint,
  credential?: DecisionCall["credential"],
  onUsage: DecisionCall["onUsage"] = constVoid
): DecisionCall => {
  const { supportedParameters, tier, upstreamModel } = endpoint
  const { questions, state } = parsed.request
  const call: { -readonly [K in keyof DecisionCall]: DecisionCall[K] } = {
    onUsage,
    model: upstreamModel,
    supportedParameters,
    state,
    questions,
    get contentBytes() {
      return parsed.contentBytes()
    }
  }
  if (credential !== undefined) call.credential = credential
  if (tier !== "default" && (supportedParameters?.has("service_tier") ?? true)) {
    call.serviceTier = tier
  }
  return call
}

const toDecision = (
  id: GenerationId.GenerationId,
  { attempts, candidate, value: { answers, reply } }: RouteResult<CheckedReply>
): Decision => {
  const cost = sumCost(attempts)
  const usage = sumAttemptUsage(attempts) ?? reply.usage
  const tokens = { input_tokens: usage.inputTokens, output_tokens: usage.outputTokens }
  return {
    id,
    model: reply.model ?? candidate.endpoint.model,
    provider: candidate.providerName,
    answers,
    usage: cost === undefined ? tokens : { ...tokens, cost: NanoUsd.toUsdNumber(cost) }
  }
}
