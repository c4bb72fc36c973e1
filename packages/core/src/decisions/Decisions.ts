/** Answers Decisions: routes the questions to an upstream, checks the reply, records what happened. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { NotPermitted } from "../auth/AuthErrors.ts"
import type { Caller } from "../auth/Caller.ts"
import type { Endpoint } from "../catalog/Endpoint.ts"
import type { Generation } from "../observability/Generation.ts"
import { GenerationStore } from "../observability/GenerationStore.ts"
import { withTrace } from "../observability/withTrace.ts"
import { type Attempted, totalCost, totalUsage } from "../routing/Attempted.ts"
import * as Preferences from "../routing/Preferences.ts"
import type { Observer, Operation, Planned, Query, Replay, Routed } from "../routing/Query.ts"
import { Routing, type RoutingError } from "../routing/Routing.ts"
import type { ModelNotFound, WrongOperation } from "../routing/RoutingErrors.ts"
import type { DecisionCall, DecisionCapability } from "../upstreams/DecisionCapability.ts"
import * as GenerationId from "../values/GenerationId.ts"
import * as NanoUsd from "../values/NanoUsd.ts"
import type { Answered } from "./Answered.ts"
import { estimatedTokens } from "./contentSize.ts"
import { checkReply } from "./checkReply.ts"
import type { Decision } from "./Decision.ts"
import type { ParsedRequest } from "./parseDecisionRequest.ts"
import { generationOf } from "./generationOf.ts"

export type DecisionError = NotPermitted | RoutingError

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
    GenerationStore | HttpClient.HttpClient | Routing
  > = Layer.effect(
    Decisions,
    Effect.gen(function* () {
      const routing = yield* Routing
      const generations = yield* GenerationStore
      const client = yield* HttpClient.HttpClient

      /** An answer is worth more than its record: a store that breaks is logged, and the caller served. */
      const recorded = (generation: Generation) =>
        Effect.catchCause(
          Effect.suspend(() => generations.record(generation)),
          (cause) => Effect.logError(`${generation.id} could not be recorded`, cause)
        )

      const submit = Effect.fnUntraced(function* (
        caller: Caller,
        parsed: ParsedRequest,
        listener?: Observer
      ) {
        yield* permit(caller)
        const id = yield* GenerationId.nextDecision
        const startedAt = yield* Clock.currentTimeMillis
        let planned: Planned | undefined
        const attempts: Array<Attempted> = []
        const observer: Observer = {
          planned: (made) => {
            planned = made
            listener?.planned(made)
          },
          attempted: (attempted) => {
            attempts.push(attempted)
            listener?.attempted(attempted)
          }
        }
        const routed = yield* routing
          .route(queryOf(caller, parsed), operationOf(parsed), observer)
          .pipe(
            Effect.provideService(HttpClient.HttpClient, client),
            Effect.onExit((exit) =>
              Effect.flatMap(Clock.currentTimeMillis, (now) =>
                recorded(
                  generationOf({
                    id,
                    caller,
                    parsed,
                    startedAt,
                    latencyMillis: now - startedAt,
                    plan: planned?.plan,
                    attempts,
                    exit
                  })
                )
              )
            )
          )
        return decisionOf(id, routed)
      })

      return {
        permit,
        submit: (caller, parsed, observer) =>
          withTrace(submit(caller, parsed, observer), parsed.request.trace, "decision"),
        plan: (caller, parsed, replay) => routing.plan(queryOf(caller, parsed), replay)
      }
    })
  )
}

const permit = ({ kind }: Caller): Effect.Effect<void, NotPermitted> =>
  kind === "management"
    ? Effect.fail(new NotPermitted({ kind, needs: "a member or organization key" }))
    : Effect.void

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
    outputTokens: 0
  }
})

const operationOf = (
  parsed: ParsedRequest
): Operation<DecisionCapability, Answered, HttpClient.HttpClient> => ({
  worstCase: ({ candidate, capability }) =>
    capability.worstCase(callOf(parsed, candidate.endpoint)),
  run: ({ candidate, capability }, spent) =>
    Effect.flatMap(capability.decide(callOf(parsed, candidate.endpoint, spent)), (reply) =>
      Effect.fromResult(
        Result.map(checkReply(parsed.request.questions, reply), (answers) => ({
          value: { answers, reply },
          usage: reply.usage,
          ...(reply.cost === undefined ? undefined : { cost: reply.cost })
        }))
      )
    )
})

const callOf = (
  { contentBytes, request: { questions, state } }: ParsedRequest,
  { supportedParameters, upstreamModel }: Endpoint,
  spent: DecisionCall["spent"] = () => {}
): DecisionCall => ({
  model: upstreamModel,
  supportedParameters,
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
