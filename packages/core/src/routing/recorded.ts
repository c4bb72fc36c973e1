/** Attempts and reasons as the record of a request has them. */
import type { Generation, GenerationAttempt } from "../observability/Generation.ts"
import type { Attempted } from "./Attempted.ts"
import { type Candidate, isByok } from "./Candidate.ts"
import type { Demoted, Rejected } from "./Rejected.ts"

export const attemptOf = (
  attempted: Attempted,
  dropped?: ReadonlyArray<string>
): GenerationAttempt => ({
  endpoint: attempted.candidate.endpoint.id,
  provider: attempted.candidate.providerName,
  outcome: attempted.failure?.kind ?? attempted.brokenOff ?? "served",
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
  ...credentialOf(attempted.candidate),
  ...(attempted.upstreamCost === undefined ? undefined : { upstreamCost: attempted.upstreamCost })
})

const credentialOf = ({ credential }: Candidate) =>
  credential === undefined ? undefined : { credential: credential.id }

export const reasonsOf = (moved: ReadonlyArray<Rejected | Demoted>): Generation["rejected"] =>
  moved.flatMap(({ candidate, reasons }) =>
    reasons.map((reason) => ({
      endpoint: candidate.endpoint.id,
      ...credentialOf(candidate),
      ...reason
    }))
  )
