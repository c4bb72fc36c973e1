/** Answers Decisions: routes the questions to an upstream, checks the reply, records what happened. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import type { NotPermitted } from "../auth/AuthErrors.ts"
import type { Caller } from "../auth/Caller.ts"
import { mayRunModels } from "../auth/mayRunModels.ts"
import type { Catalog } from "../catalog/Catalog.ts"
import type { Endpoint } from "../catalog/Endpoint.ts"
import type { SpendCounters } from "../ledger/SpendCounters.ts"
import type { Generations } from "../observability/Generations.ts"
import { clipText } from "../observability/clipGeneration.ts"
import { withTrace } from "../observability/withTrace.ts"
import { totalCost, totalUsage } from "../routing/Attempted.ts"
import * as Preferences from "../routing/Preferences.ts"
import type { Observer, Operation, Planned, Query, Replay, Routed } from "../routing/Query.ts"
import { recording } from "../routing/recording.ts"
import { Routing, type RoutingError } from "../routing/Routing.ts"
import type { ModelNotFound, WrongOperation } from "../routing/RoutingErrors.ts"
import type { DecisionCall, DecisionCapability } from "../upstreams/DecisionCapability.ts"
import * as GenerationId from "../values/GenerationId.ts"
import * as NanoUsd from "../values/NanoUsd.ts"
import { requestsOf, type TokenUsage } from "../values/TokenUsage.ts"
import type { Answered } from "./Answered.ts"
import { estimatedTokens } from "./contentSize.ts"
import { imagesIn } from "./images.ts"
import { checkReply } from "./checkReply.ts"
import type { Decision } from "./Decision.ts"
import type { ParsedRequest } from "./parseDecisionRequest.ts"

/** How a Decision fails. */
export type DecisionError = NotPermitted | RoutingError

/** Routes Decisions. */
export class Decisions extends Context.Service<
  Decisions,
  {
    /** Whether the caller may ask at all. */
    readonly permit: (caller: Caller) => Effect.Effect<void, NotPermitted>
    /** Interrupting it interrupts the upstream call. `observer` hears how it is routed. */
    readonly submit: (
      caller: Caller,
      parsed: ParsedRequest,
      observer?: Observer
    ) => Effect.Effect<Decision, DecisionError>
    /** The plan it would get, without asking anybody. */
    readonly plan: (
      caller: Caller,
      parsed: ParsedRequest,
      replay?: Replay
    ) => Effect.Effect<Planned, ModelNotFound | WrongOperation>
  }
>()("@signalbox/core/decisions/Decisions") {
  static readonly layer: Layer.Layer<
    Decisions,
    never,
    Catalog | Generations | HttpClient.HttpClient | Routing | SpendCounters
  > = Layer.effect(
    Decisions,
    Effect.gen(function* () {
      const routing = yield* Routing
      const record = yield* recording

      const submit = Effect.fnUntraced(function* (
        caller: Caller,
        parsed: ParsedRequest,
        listener?: Observer
      ) {
        yield* mayRunModels(caller)
        const id = yield* GenerationId.nextDecision
        const { bytes, request } = parsed
        const routed = yield* record(queryOf(caller, parsed), operationOf(parsed), {
          id,
          startedAt: yield* Clock.currentTimeMillis,
          labels: request,
          isStreamed: false,
          attempts: [],
          listener,
          factsOf: ({ reply: { id, labelMass, method, model, serviceTier } }) => ({
            model,
            method,
            ...(id === undefined ? undefined : { upstreamId: clipText(id) }),
            ...(serviceTier === undefined ? undefined : { serviceTier: clipText(serviceTier) }),
            ...(labelMass === undefined ? undefined : { labelMass })
          }),
          contentOf: (exit) => ({
            bytes,
            input: { state: request.state, questions: request.questions },
            ...(Exit.isSuccess(exit) ? { output: exit.value.value.answers } : undefined)
          })
        })
        return decisionOf(id, routed)
      })

      return {
        permit: mayRunModels,
        submit: (caller, parsed, observer) =>
          withTrace(submit(caller, parsed, observer), parsed.request.trace, "decision"),
        plan: (caller, parsed, replay) => routing.plan(queryOf(caller, parsed), replay)
      }
    })
  )
}

const queryOf = (caller: Caller, { bytes, request }: ParsedRequest): Query<DecisionCapability> => ({
  caller,
  models: [request.model],
  operation: "decisions",
  capability: (upstream) => upstream.decisions,
  preferences: request.provider ?? Preferences.none,
  // Answers are a few numbers.
  demand: {
    parameters: [],
    inputTokens: estimatedTokens(request, bytes),
    outputTokens: 0,
    images: imagesIn(request.state).length
  }
})

const operationOf = (
  parsed: ParsedRequest
): Operation<DecisionCapability, Answered, HttpClient.HttpClient> => ({
  measure: parsed.measure,
  worstCase: ({ candidate, capability }) =>
    withImages(parsed, capability.worstCase(callOf(parsed, candidate.endpoint))),
  asked: ({ candidate, capability }) => {
    const worst = capability.worstCase(callOf(parsed, candidate.endpoint))
    const inputTokens = estimatedTokens(parsed.request, parsed.bytes)
    return withImages(parsed, {
      inputTokens: Math.min(inputTokens, worst.inputTokens),
      outputTokens: 0,
      requests: Math.min(1, requestsOf(worst))
    })
  },
  run: ({ candidate, capability, credential }, spent) =>
    Effect.flatMap(
      capability.decide(
        callOf(parsed, candidate.endpoint, {
          credential,
          spent: (usage) => spent(withImages(parsed, usage))
        })
      ),
      (reply) =>
        Effect.fromResult(
          Result.map(checkReply(parsed.request.questions, reply), (answers) => ({
            value: { answers, reply },
            usage: withImages(parsed, reply.usage),
            ...(reply.cost === undefined ? undefined : { cost: reply.cost }),
            ...(reply.model === undefined ? undefined : { model: reply.model })
          }))
        )
    )
})

/** Every request to the provider carries all images of the state. */
const withImages = ({ request }: ParsedRequest, usage: TokenUsage): TokenUsage => {
  const images = imagesIn(request.state).length
  return images === 0 ? usage : { ...usage, images: images * requestsOf(usage) }
}

interface CallOptions {
  readonly credential?: DecisionCall["credential"] | undefined
  readonly spent?: DecisionCall["spent"]
}

const callOf = (
  { contentBytes, request: { questions, state } }: ParsedRequest,
  { supportedParameters, tier, upstreamModel }: Endpoint,
  { credential, spent = () => {} }: CallOptions = {}
): DecisionCall => ({
  ...(credential === undefined ? undefined : { credential }),
  model: upstreamModel,
  supportedParameters,
  ...(tier !== "default" && (supportedParameters?.has("service_tier") ?? true)
    ? { serviceTier: tier }
    : undefined),
  state,
  questions,
  get contentBytes() {
    return contentBytes()
  },
  spent
})

const decisionOf = (
  id: GenerationId.GenerationId,
  { attempts, candidate, value: { answers, reply } }: Routed<Answered>
): Decision => {
  const cost = totalCost(attempts)
  const usage = totalUsage(attempts) ?? reply.usage
  return {
    id,
    model: reply.model ?? candidate.endpoint.model,
    provider: candidate.providerName,
    answers,
    usage: {
      input_tokens: usage.inputTokens,
      output_tokens: usage.outputTokens,
      ...(cost === undefined ? undefined : { cost: NanoUsd.toUsdNumber(cost) })
    }
  }
}
