/** The record of one routed request, answered or not. */
import * as Exit from "effect/Exit"
import { truncateText } from "../../observability/truncateGeneration.ts"
import type { Generation } from "../../observability/Generation.ts"
import { toErrorType } from "../../values/errors/toErrorType.ts"
import type { GenerationId } from "../../values/ids/GenerationId.ts"
import type { OperationName } from "../../values/OperationName.ts"
import type { Trace } from "../../values/Trace.ts"
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

export const toGeneration = <A>({
  attempts,
  caller,
  configuration,
  exit,
  toAnswerFacts,
  id,
  isStreamed,
  labels,
  latencyMillis,
  operation,
  planned,
  requestedModel,
  startedAt
}: FinishedRequest<A>): Generation => {
  const dropped = indexDroppedParameters(planned?.plan ?? {})
  const usage = sumAttemptUsage(attempts)
  const cost = sumCost(attempts)
  const upstreamCost = sumUpstreamCost(attempts)
  return {
    id,
    account: caller.account,
    workspace: caller.workspace,
    ...(caller.keyHash === undefined ? undefined : { keyHash: caller.keyHash }),
    operation,
    startedAt,
    latencyMillis,
    requestedModel,
    ...(Exit.isSuccess(exit)
      ? toAnswerFields(exit.value, toAnswerFacts(exit.value.value))
      : { error: toErrorType(exit.cause) }),
    ...(isStreamed ? { streamed: true as const } : undefined),
    ...(usage === undefined ? undefined : { usage }),
    ...(cost === undefined ? undefined : { cost }),
    ...(upstreamCost === undefined ? undefined : { upstreamCost }),
    attempts: attempts.map((attempted) =>
      toGenerationAttempt(attempted, dropped.get(attempted.candidate.id))
    ),
    configuration: planned?.configuration ?? configuration,
    ...(planned === undefined ? undefined : { strategy: planned.plan.strategy }),
    rejected: toGenerationReasons(planned?.plan.rejected ?? []),
    demoted: toGenerationReasons(planned?.plan.demoted ?? []),
    ...(labels.session_id === undefined ? undefined : { session: labels.session_id }),
    ...(labels.user === undefined ? undefined : { user: labels.user }),
    ...(labels.trace === undefined ? undefined : { trace: labels.trace })
  }
}

const toAnswerFields = (
  { candidate }: RouteResult<unknown>,
  { model = candidate.endpoint.model, ...facts }: AnswerFacts
) => ({
  // Lines of the log and spans have it too, not only what clips records.
  model: truncateText(model),
  provider: candidate.providerName,
  ...(isByok(candidate) ? { isByok: true as const } : undefined),
  ...facts
})
