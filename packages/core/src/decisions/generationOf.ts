/** The record of one Decision, answered or not. */
import * as Cause from "effect/Cause"
import type * as Exit from "effect/Exit"
import type { Caller } from "../auth/Caller.ts"
import type { Generation, GenerationAttempt } from "../observability/Generation.ts"
import { type Attempted, totalCost, totalUsage } from "../routing/Attempted.ts"
import type { Plan } from "../routing/plan.ts"
import type { Demoted, Rejected } from "../routing/Rejected.ts"
import type { Routed } from "../routing/Query.ts"
import type { RoutingError } from "../routing/Routing.ts"
import type { GenerationId } from "../values/GenerationId.ts"
import type { Answered } from "./Answered.ts"
import type { ParsedRequest } from "./parseDecisionRequest.ts"

export interface Ended {
  readonly id: GenerationId
  readonly caller: Caller
  readonly parsed: ParsedRequest
  readonly startedAt: number
  readonly latencyMillis: number
  /** Undefined when the request ended before it was planned. */
  readonly plan: Plan | undefined
  readonly attempts: ReadonlyArray<Attempted>
  readonly exit: Exit.Exit<Routed<Answered>, RoutingError>
}

export const generationOf = ({
  attempts,
  caller,
  exit,
  id,
  latencyMillis,
  parsed: { request },
  plan,
  startedAt
}: Ended): Generation => {
  const usage = totalUsage(attempts)
  const cost = totalCost(attempts)
  return {
    id,
    account: caller.account,
    workspace: caller.workspace,
    ...(caller.keyHash === undefined ? undefined : { keyHash: caller.keyHash }),
    operation: "decisions",
    startedAt,
    latencyMillis,
    requestedModel: request.model,
    ...(exit._tag === "Success" ? answered(exit.value) : { error: errorOf(exit.cause) }),
    ...(usage === undefined ? undefined : { usage }),
    ...(cost === undefined ? undefined : { cost }),
    attempts: attempts.map(attemptOf),
    ...(plan === undefined ? undefined : { strategy: plan.strategy }),
    rejected: reasonsOf(plan?.rejected ?? []),
    demoted: reasonsOf(plan?.demoted ?? []),
    ...(request.session_id === undefined ? undefined : { session: request.session_id }),
    ...(request.user === undefined ? undefined : { user: request.user }),
    ...(request.trace === undefined ? undefined : { trace: request.trace })
  }
}

const answered = ({ candidate, value: { reply } }: Routed<Answered>) => ({
  model: reply.model ?? candidate.endpoint.model,
  provider: candidate.providerName,
  method: reply.method,
  ...(reply.labelMass === undefined ? undefined : { labelMass: reply.labelMass })
})

const errorOf = (cause: Cause.Cause<RoutingError>): string =>
  cause.reasons.find(Cause.isFailReason)?.error._tag ??
  (Cause.hasInterruptsOnly(cause) ? "Interrupted" : "Defect")

const attemptOf = (attempted: Attempted): GenerationAttempt => ({
  endpoint: attempted.candidate.endpoint.id,
  provider: attempted.candidate.providerName,
  outcome: attempted.failure?.kind ?? attempted.brokenOff ?? "served",
  latencyMillis: attempted.latencyMillis,
  ...(attempted.failure?.status === undefined ? undefined : { status: attempted.failure.status }),
  ...(attempted.usage === undefined ? undefined : { usage: attempted.usage }),
  ...(attempted.cost === undefined ? undefined : { cost: attempted.cost })
})

const reasonsOf = (moved: ReadonlyArray<Rejected | Demoted>): Generation["rejected"] =>
  moved.flatMap(({ candidate, reasons }) =>
    reasons.map((reason) => ({ endpoint: candidate.endpoint.id, ...reason }))
  )
