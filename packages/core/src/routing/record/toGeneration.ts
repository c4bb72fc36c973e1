/** The record of one routed request, answered or not. */
import * as Exit from "effect/Exit"
import { truncateText } from "../../observability/generations/truncateGeneration.ts"
import type { Generation } from "../../observability/generations/Generation.ts"
import { toErrorType } from "../../values/errors/toErrorType.ts"
import type { GenerationId } from "../../values/ids/GenerationId.ts"
import type { OperationName } from "../../values/OperationName.ts"
import type { Trace } from "../../values/Trace.ts"
import { omitUndefined } from "../../values/omitUndefined.ts"
import type { Caller } from "../../auth/Caller.ts"
import {
  type RouteAttempt,
  sumCost,
  sumUpstreamCost,
  sumAttemptUsage
} from "../attempt/RouteAttempt.ts"
import { isByok } from "../Candidate.ts"
import { indexDroppedParameters } from "../plan/findDroppedParameters.ts"
import type { PlannedRoute, RouteResult } from "../RouteQuery.ts"
import { toGenerationAttempt, toGenerationReasons } from "./toGenerationAttempt.ts"

/** Labels that a caller may set on a request, in the fields of the HTTP API. */
export interface RequestLabels {
  readonly session_id?: string
  readonly user?: string
  readonly trace?: Trace
}

/** What an answer adds to the record of its request. */
export type AnswerFacts = Pick<
  Generation,
  "finishReason" | "labelMass" | "method" | "nativeFinishReason" | "serviceTier" | "upstreamId"
> & {
  /** The upstream's name for the model that answered. */
  readonly model: string | undefined
}

export interface FinishedRequest<A> {
  readonly id: GenerationId
  readonly caller: Caller
  readonly operation: OperationName
  readonly requestedModel: string
  readonly labels: RequestLabels
  readonly isStreamed: boolean
  readonly startedAt: number
  readonly latencyMillis: number
  /** Undefined when the request ended before it was planned. */
  readonly planned: PlannedRoute | undefined
  /** The version in force when the request ended. */
  readonly configuration: number
  readonly attempts: ReadonlyArray<RouteAttempt>
  readonly exit: Exit.Exit<RouteResult<A>, unknown>
  readonly toAnswerFacts: (value: A) => AnswerFacts
}

export const toGeneration = <A>(request: FinishedRequest<A>): Generation => {
  const { attempts, caller, exit, labels, planned } = request
  const dropped = indexDroppedParameters(planned?.plan ?? {})
  return {
    id: request.id,
    account: caller.account,
    workspace: caller.workspace,
    operation: request.operation,
    startedAt: request.startedAt,
    latencyMillis: request.latencyMillis,
    requestedModel: request.requestedModel,
    ...(Exit.isSuccess(exit)
      ? toAnswerFields(exit.value, request.toAnswerFacts(exit.value.value))
      : { error: toErrorType(exit.cause) }),
    ...(request.isStreamed ? { streamed: true as const } : undefined),
    attempts: attempts.map((attempted) =>
      toGenerationAttempt(attempted, dropped.get(attempted.candidate.id))
    ),
    configuration: planned?.configuration ?? request.configuration,
    rejected: toGenerationReasons(planned?.plan.rejected ?? []),
    demoted: toGenerationReasons(planned?.plan.demoted ?? []),
    ...omitUndefined({
      keyHash: caller.keyHash,
      usage: sumAttemptUsage(attempts),
      cost: sumCost(attempts),
      upstreamCost: sumUpstreamCost(attempts),
      strategy: planned?.plan.strategy,
      session: labels.session_id,
      user: labels.user,
      trace: labels.trace
    })
  }
}

const toAnswerFields = (
  { candidate }: RouteResult<unknown>,
  { model = candidate.endpoint.model, ...facts }: AnswerFacts
) => ({
  // Truncated here because log lines and spans have it too, not only records.
  model: truncateText(model),
  provider: candidate.providerName,
  ...(isByok(candidate) ? { isByok: true as const } : undefined),
  ...facts
})
