/** The attempts and reasons in the record of a request. */
import type {
  Generation,
  GenerationAttempt
} from "../../engine/observability/generations/Generation.ts"
import { omitUndefined } from "../../values/ownFields.ts"
import type { RouteAttempt } from "../attempt/RouteAttempt.ts"
import type { DemotedCandidate, RejectedCandidate } from "../Reason.ts"

export const toGenerationAttempt = (
  attempted: RouteAttempt,
  dropped?: ReadonlyArray<string>
): GenerationAttempt => {
  const { abortReason, candidate, changed, failure } = attempted
  const made: { -readonly [K in keyof GenerationAttempt]: GenerationAttempt[K] } = {
    endpoint: candidate.endpoint.id,
    provider: candidate.providerName,
    outcome: attempted.lost === true ? "lost" : (failure?.kind ?? abortReason ?? "served"),
    latencyMillis: attempted.latencyMillis
  }
  if (candidate.credential !== undefined) {
    made.isByok = true
    made.credential = candidate.credential.id
  }
  if (attempted.hedge === true) made.hedge = true
  if (attempted.lost === true) made.lost = true
  if (failure?.status !== undefined) made.status = failure.status
  if (attempted.queueMillis !== undefined) made.queueMillis = attempted.queueMillis
  if (attempted.queuedMillis !== undefined) made.queuedMillis = attempted.queuedMillis
  if (attempted.firstEventMillis !== undefined) made.firstEventMillis = attempted.firstEventMillis
  if (dropped !== undefined || changed !== undefined) {
    made.dropped = Array.from(new Set([...(dropped ?? []), ...(changed ?? [])]))
  }
  if (attempted.usage !== undefined) made.usage = attempted.usage
  if (attempted.estimated !== undefined) made.estimated = attempted.estimated
  if (attempted.implausible !== undefined) made.implausible = attempted.implausible
  if (attempted.cost !== undefined) made.cost = attempted.cost
  if (attempted.upstreamCost !== undefined) made.upstreamCost = attempted.upstreamCost
  return made
}

export const toGenerationReasons = (
  candidates: ReadonlyArray<RejectedCandidate | DemotedCandidate>
): Generation["rejected"] =>
  candidates.length === 0
    ? noReasons
    : candidates.flatMap(({ candidate, reasons }) =>
        reasons.map((reason) => ({
          endpoint: candidate.endpoint.id,
          ...omitUndefined({ credential: candidate.credential?.id }),
          ...reason
        }))
      )

const noReasons: Generation["rejected"] = []
