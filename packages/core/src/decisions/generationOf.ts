/** The record of one Decision, answered or not. */
import type * as Exit from "effect/Exit"
import type { Caller } from "../auth/Caller.ts"
import { errorType } from "../values/errorType.ts"
import type { Generation } from "../observability/Generation.ts"
import type { Content } from "../observability/IoLog.ts"
import { type Attempted, totalCost, totalUpstreamCost, totalUsage } from "../routing/Attempted.ts"
import { isByok } from "../routing/Candidate.ts"
import { attemptOf, reasonsOf } from "../routing/recorded.ts"
import type { Planned, Routed } from "../routing/Query.ts"
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
  readonly planned: Planned | undefined
  /** The version that was served when it ended. */
  readonly configuration: number
  readonly attempts: ReadonlyArray<Attempted>
  readonly exit: Exit.Exit<Routed<Answered>, RoutingError>
}

export const generationOf = ({
  attempts,
  caller,
  configuration,
  exit,
  id,
  latencyMillis,
  parsed: { request },
  planned,
  startedAt
}: Ended): Generation => {
  const usage = totalUsage(attempts)
  const cost = totalCost(attempts)
  const upstreamCost = totalUpstreamCost(attempts)
  return {
    id,
    account: caller.account,
    workspace: caller.workspace,
    ...(caller.keyHash === undefined ? undefined : { keyHash: caller.keyHash }),
    operation: "decisions",
    startedAt,
    latencyMillis,
    requestedModel: request.model,
    ...(exit._tag === "Success" ? answered(exit.value) : { error: errorType(exit.cause) }),
    ...(usage === undefined ? undefined : { usage }),
    ...(cost === undefined ? undefined : { cost }),
    ...(upstreamCost === undefined ? undefined : { upstreamCost }),
    attempts: attempts.map(attemptOf),
    configuration: planned?.configuration ?? configuration,
    ...(planned === undefined ? undefined : { strategy: planned.plan.strategy }),
    rejected: reasonsOf(planned?.plan.rejected ?? []),
    demoted: reasonsOf(planned?.plan.demoted ?? []),
    ...(request.session_id === undefined ? undefined : { session: request.session_id }),
    ...(request.user === undefined ? undefined : { user: request.user }),
    ...(request.trace === undefined ? undefined : { trace: request.trace })
  }
}

/** What was asked and answered, as the wire has it. */
export const contentOf = ({ exit, parsed: { bytes, request } }: Ended): Content => ({
  bytes,
  input: { state: request.state, questions: request.questions },
  ...(exit._tag === "Success" ? { output: exit.value.value.answers } : undefined)
})

const answered = ({ candidate, value: { reply } }: Routed<Answered>) => ({
  model: reply.model ?? candidate.endpoint.model,
  provider: candidate.providerName,
  method: reply.method,
  ...(isByok(candidate) ? { isByok: true as const } : undefined),
  ...(reply.labelMass === undefined ? undefined : { labelMass: reply.labelMass })
})
