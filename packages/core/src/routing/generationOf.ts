/** The record of one request that was routed, answered or not. */
import * as Exit from "effect/Exit"
import { clipText } from "../observability/clipGeneration.ts"
import type { Generation } from "../observability/Generation.ts"
import { errorType } from "../values/errorType.ts"
import type { GenerationId } from "../values/GenerationId.ts"
import type { OperationName } from "../values/OperationName.ts"
import type { Trace } from "../values/Trace.ts"
import type { Caller } from "../auth/Caller.ts"
import { type Attempted, totalCost, totalUpstreamCost, totalUsage } from "./Attempted.ts"
import { isByok } from "./Candidate.ts"
import { droppedById } from "./droppedParameters.ts"
import type { Planned, Routed } from "./Query.ts"
import { attemptOf, reasonsOf } from "./recorded.ts"

/** What a caller may write on a request, as the wire calls it. */
export interface Labels {
  readonly session_id?: string
  readonly user?: string
  readonly trace?: Trace
}

/** What an answer adds to the record of its request. */
export type AnswerFacts = Pick<
  Generation,
  "finishReason" | "labelMass" | "method" | "nativeFinishReason" | "serviceTier" | "upstreamId"
> & {
  /** As the upstream names the model that answered. */
  readonly model: string | undefined
}

export interface Ended<A> {
  readonly id: GenerationId
  readonly caller: Caller
  readonly operation: OperationName
  readonly requestedModel: string
  readonly labels: Labels
  readonly isStreamed: boolean
  readonly startedAt: number
  readonly latencyMillis: number
  /** Undefined when the request ended before it was planned. */
  readonly planned: Planned | undefined
  /** The version that was served when it ended. */
  readonly configuration: number
  readonly attempts: ReadonlyArray<Attempted>
  readonly exit: Exit.Exit<Routed<A>, unknown>
  readonly factsOf: (value: A) => AnswerFacts
}

export const generationOf = <A>({
  attempts,
  caller,
  configuration,
  exit,
  factsOf,
  id,
  isStreamed,
  labels,
  latencyMillis,
  operation,
  planned,
  requestedModel,
  startedAt
}: Ended<A>): Generation => {
  const dropped = droppedById(planned?.plan ?? {})
  const usage = totalUsage(attempts)
  const cost = totalCost(attempts)
  const upstreamCost = totalUpstreamCost(attempts)
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
      ? answered(exit.value, factsOf(exit.value.value))
      : { error: errorType(exit.cause) }),
    ...(isStreamed ? { streamed: true as const } : undefined),
    ...(usage === undefined ? undefined : { usage }),
    ...(cost === undefined ? undefined : { cost }),
    ...(upstreamCost === undefined ? undefined : { upstreamCost }),
    attempts: attempts.map((attempted) =>
      attemptOf(attempted, dropped.get(attempted.candidate.id))
    ),
    configuration: planned?.configuration ?? configuration,
    ...(planned === undefined ? undefined : { strategy: planned.plan.strategy }),
    rejected: reasonsOf(planned?.plan.rejected ?? []),
    demoted: reasonsOf(planned?.plan.demoted ?? []),
    ...(labels.session_id === undefined ? undefined : { session: labels.session_id }),
    ...(labels.user === undefined ? undefined : { user: labels.user }),
    ...(labels.trace === undefined ? undefined : { trace: labels.trace })
  }
}

const answered = (
  { candidate }: Routed<unknown>,
  { model = candidate.endpoint.model, ...facts }: AnswerFacts
) => ({
  // Lines of the log and spans have it too, not only what clips records.
  model: clipText(model),
  provider: candidate.providerName,
  ...(isByok(candidate) ? { isByok: true as const } : undefined),
  ...facts
})
