/** The record of one routed request, answered or not. */
import * as Exit from "effect/Exit"
import { truncateText } from "../../observability/generations/truncateGeneration.ts"
import type { ChatApiName, Generation } from "../../observability/generations/Generation.ts"
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
import { type DroppedParameters, indexDroppedParameters } from "../plan/findDroppedParameters.ts"
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
  /** Absent: the API of the operation. */
  readonly api?: ChatApiName | undefined
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

type Draft<A> = { -readonly [K in keyof A]: A[K] }

/** Filled in place: a generation has many optional fields, and every request makes one. */
export const toGeneration = <A>(request: FinishedRequest<A>): Generation => {
  const { attempts, caller, exit, labels, planned } = request
  const generation: Draft<Generation> = {
    id: request.id,
    account: caller.account,
    workspace: caller.workspace,
    operation: request.operation,
    startedAt: request.startedAt,
    latencyMillis: request.latencyMillis,
    requestedModel: request.requestedModel,
    attempts: toGenerationAttempts(attempts, planned?.plan.dropped),
    configuration: planned?.configuration ?? request.configuration,
    rejected: toGenerationReasons(planned?.plan.rejected ?? noReasons),
    demoted: toGenerationReasons(planned?.plan.demoted ?? noReasons)
  }
  if (Exit.isSuccess(exit)) {
    addAnswerFields(generation, exit.value, request.toAnswerFacts(exit.value.value))
  } else generation.error = toErrorType(exit.cause)
  if (request.api !== undefined) generation.api = request.api
  if (request.isStreamed) generation.streamed = true
  if (caller.keyHash !== undefined) generation.keyHash = caller.keyHash
  if (planned !== undefined) generation.strategy = planned.plan.strategy
  const usage = sumAttemptUsage(attempts)
  if (usage !== undefined) generation.usage = usage
  const cost = sumCost(attempts)
  if (cost !== undefined) generation.cost = cost
  const upstreamCost = sumUpstreamCost(attempts)
  if (upstreamCost !== undefined) generation.upstreamCost = upstreamCost
  if (labels.session_id !== undefined) generation.session = labels.session_id
  if (labels.user !== undefined) generation.user = labels.user
  if (labels.trace !== undefined) generation.trace = labels.trace
  return generation
}

const noReasons: ReadonlyArray<never> = []

const toGenerationAttempts = (
  attempts: ReadonlyArray<RouteAttempt>,
  dropped: ReadonlyArray<DroppedParameters> | undefined
): Generation["attempts"] => {
  if (dropped === undefined) return attempts.map((attempted) => toGenerationAttempt(attempted))
  const byCandidate = indexDroppedParameters({ dropped })
  return attempts.map((attempted) =>
    toGenerationAttempt(attempted, byCandidate.get(attempted.candidate.id))
  )
}

const addAnswerFields = (
  generation: Draft<Generation>,
  { candidate }: RouteResult<unknown>,
  { model = candidate.endpoint.model, ...facts }: AnswerFacts
): void => {
  // Truncated here because log lines and spans have it too, not only records.
  generation.model = truncateText(model)
  generation.provider = candidate.providerName
  if (isByok(candidate)) generation.isByok = true
  Object.assign(generation, facts)
}
