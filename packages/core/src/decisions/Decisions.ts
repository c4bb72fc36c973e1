/** Answers Decisions: routes the questions to an upstream, checks the reply, records what happened. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { NotPermitted } from "../auth/AuthErrors.ts"
import type { Caller } from "../auth/Caller.ts"
import { GenerationStore } from "../observability/GenerationStore.ts"
import { withTrace } from "../observability/withTrace.ts"
import { type Attempted, totalCost, totalUsage } from "../routing/Attempted.ts"
import type { Plan } from "../routing/plan.ts"
import * as Preferences from "../routing/Preferences.ts"
import {
  type Operation,
  type Query,
  type Routed,
  Routing,
  type RoutingError
} from "../routing/Routing.ts"
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
    /** Interrupting it interrupts the upstream call. */
    readonly submit: (
      caller: Caller,
      parsed: ParsedRequest
    ) => Effect.Effect<Decision, DecisionError>
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

      const submit = Effect.fnUntraced(function* (caller: Caller, parsed: ParsedRequest) {
        if (caller.kind === "management") {
          return yield* new NotPermitted({
            kind: caller.kind,
            needs: "a member or organization key"
          })
        }
        const id = yield* GenerationId.nextDecision
        const startedAt = yield* Clock.currentTimeMillis
        let plan: Plan | undefined
        const attempts: Array<Attempted> = []
        const observer = {
          planned: (made: Plan) => {
            plan = made
          },
          attempted: (attempted: Attempted) => {
            attempts.push(attempted)
          }
        }
        const routed = yield* routing
          .route(queryOf(caller, parsed), operationOf(parsed), observer)
          .pipe(
            Effect.provideService(HttpClient.HttpClient, client),
            Effect.onExit((exit) =>
              Effect.flatMap(Clock.currentTimeMillis, (now) =>
                generations.record(
                  generationOf({
                    id,
                    caller,
                    parsed,
                    startedAt,
                    latencyMillis: now - startedAt,
                    plan,
                    attempts,
                    exit
                  })
                )
              ).pipe(
                // What became of the request does not depend on what becomes of its record.
                Effect.catchCause((cause) => Effect.logError(`${id} could not be recorded`, cause))
              )
            )
          )
        return decisionOf(id, routed)
      })

      return {
        submit: (caller, parsed) =>
          withTrace(submit(caller, parsed), parsed.request.trace, "decision")
      }
    })
  )
}

const queryOf = (
  caller: Caller,
  { contentBytes, request }: ParsedRequest
): Query<DecisionCapability> => ({
  caller,
  models: [request.model],
  operation: "decisions",
  capability: (upstream) => upstream.decisions,
  preferences: request.provider ?? Preferences.none,
  // Answers are a few numbers.
  demand: {
    parameters: [],
    inputTokens: estimatedTokens(request, contentBytes),
    outputTokens: 0
  }
})

const operationOf = ({
  contentBytes,
  request
}: ParsedRequest): Operation<DecisionCapability, Answered, HttpClient.HttpClient> => ({
  worstCase: ({ candidate, capability }) =>
    capability.worstCase(callOf(request, contentBytes, candidate.endpoint, () => {})),
  run: ({ candidate, capability }, spent) =>
    Effect.flatMap(
      capability.decide(callOf(request, contentBytes, candidate.endpoint, spent)),
      (reply) =>
        Effect.fromResult(
          Result.map(checkReply(request.questions, reply), (answers) => ({
            value: { answers, reply },
            usage: reply.usage,
            ...(reply.cost === undefined ? undefined : { cost: reply.cost })
          }))
        )
    )
})

const callOf = (
  { questions, state }: ParsedRequest["request"],
  contentBytes: number,
  endpoint: { readonly upstreamModel: string; readonly supportedParameters: ReadonlySet<string> },
  spent: DecisionCall["spent"]
): DecisionCall => ({
  model: endpoint.upstreamModel,
  supportedParameters: endpoint.supportedParameters,
  state,
  questions,
  contentBytes,
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
