/** The attempts and reasons in the record of a request. */
import type { Generation, GenerationAttempt } from "../../observability/generations/Generation.ts"
import { omitUndefined } from "../../values/omitUndefined.ts"
import type { RouteAttempt } from "../attempt/RouteAttempt.ts"
import { isByok } from "../Candidate.ts"
import type { DemotedCandidate, RejectedCandidate } from "../Reason.ts"

export const toGenerationAttempt = (
  { abortReason, candidate, failure, ...attempted }: RouteAttempt,
  dropped?: ReadonlyArray<string>
): GenerationAttempt => ({
  endpoint: candidate.endpoint.id,
  provider: candidate.providerName,
  outcome: failure?.kind ?? abortReason ?? "served",
  latencyMillis: attempted.latencyMillis,
  ...(isByok(candidate) ? { isByok: true as const } : undefined),
  ...omitUndefined({
    status: failure?.status,
    firstEventMillis: attempted.firstEventMillis,
    dropped,
    usage: attempted.usage,
    estimated: attempted.estimated,
    implausible: attempted.implausible,
    cost: attempted.cost,
    credential: candidate.credential?.id,
    upstreamCost: attempted.upstreamCost
  })
})

export const toGenerationReasons = (
  candidates: ReadonlyArray<RejectedCandidate | DemotedCandidate>
): Generation["rejected"] =>
  candidates.flatMap(({ candidate, reasons }) =>
    reasons.map((reason) => ({
      endpoint: candidate.endpoint.id,
      ...omitUndefined({ credential: candidate.credential?.id }),
      ...reason
    }))
  )
