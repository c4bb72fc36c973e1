/** The attempts and reasons in the record of a request. */
import type { Generation, GenerationAttempt } from "../../observability/Generation.ts"
import type { RouteAttempt } from "../attempt/RouteAttempt.ts"
import { type Candidate, isByok } from "../Candidate.ts"
import type { DemotedCandidate, RejectedCandidate } from "../Reason.ts"

export const toGenerationAttempt = (
  attempted: RouteAttempt,
  dropped?: ReadonlyArray<string>
): GenerationAttempt => ({
  endpoint: attempted.candidate.endpoint.id,
  provider: attempted.candidate.providerName,
  outcome: attempted.failure?.kind ?? attempted.abortReason ?? "served",
  latencyMillis: attempted.latencyMillis,
  ...(attempted.failure?.status === undefined ? undefined : { status: attempted.failure.status }),
  ...(attempted.firstEventMillis === undefined
    ? undefined
    : { firstEventMillis: attempted.firstEventMillis }),
  ...(dropped === undefined ? undefined : { dropped }),
  ...(attempted.usage === undefined ? undefined : { usage: attempted.usage }),
  ...(attempted.estimated === undefined ? undefined : { estimated: attempted.estimated }),
  ...(attempted.implausible === undefined ? undefined : { implausible: attempted.implausible }),
  ...(attempted.cost === undefined ? undefined : { cost: attempted.cost }),
  ...(isByok(attempted.candidate) ? { isByok: true as const } : undefined),
  ...toCredentialField(attempted.candidate),
  ...(attempted.upstreamCost === undefined ? undefined : { upstreamCost: attempted.upstreamCost })
})

const toCredentialField = ({ credential }: Candidate) =>
  credential === undefined ? undefined : { credential: credential.id }

export const toGenerationReasons = (
  candidates: ReadonlyArray<RejectedCandidate | DemotedCandidate>
): Generation["rejected"] =>
  candidates.flatMap(({ candidate, reasons }) =>
    reasons.map((reason) => ({
      endpoint: candidate.endpoint.id,
      ...toCredentialField(candidate),
      ...reason
    }))
  )
