/** Leaves out candidates whose breaker is open or whose backoff is running. */
import type { EndpointReport, HealthSnapshot } from "../../engine/health/HealthSnapshot.ts"
import { type Candidate, isByok } from "../Candidate.ts"
import type { Exclusion, Reason, RejectedCandidate } from "../Reason.ts"

export interface BreakerFilterResult {
  readonly allowed: ReadonlyArray<Candidate>
  readonly blocked: ReadonlyArray<RejectedCandidate>
  /** A blocked candidate that is tried because no other is left, without claiming a probe. */
  readonly lastResort?: Candidate
}

/** Never blocks every candidate: of all blocked ones, the one whose wait ends first stays. */
export const filterByBreaker = (
  candidates: ReadonlyArray<Candidate>,
  { at, endpoints }: HealthSnapshot
): BreakerFilterResult => {
  let blocked: Array<Block> | undefined
  for (const candidate of candidates) {
    const report = endpoints[candidate.endpoint.id]
    const block = isByok(candidate)
      ? findCredentialBlock(candidate, report, endpoints[candidate.id], at)
      : report === undefined
        ? undefined
        : findBlock(candidate, report, at)
    if (block !== undefined) (blocked ??= []).push(block)
  }
  if (blocked === undefined) return { allowed: candidates, blocked: noneBlocked }
  if (blocked.length < candidates.length) {
    const blockedOnes = new Set(blocked.map(({ candidate }) => candidate))
    return {
      allowed: candidates.filter((candidate) => !blockedOnes.has(candidate)),
      blocked: blocked.map(toRejectedCandidate)
    }
  }
  const first = blocked.reduce((self, that) => (that.until < self.until ? that : self))
  return {
    allowed: [first.candidate],
    blocked: blocked.filter((block) => block !== first).map(toRejectedCandidate),
    lastResort: first.candidate
  }
}

const noneBlocked: ReadonlyArray<RejectedCandidate> = []

interface Block {
  readonly candidate: Candidate
  readonly until: number
  readonly reason: Reason<Exclusion>
}

const toRejectedCandidate = ({ candidate, reason }: Block): RejectedCandidate => ({
  candidate,
  reasons: [reason]
})

/** Refusals count for the credential, everything else for its endpoint. */
const findCredentialBlock = (
  candidate: Candidate,
  shared: EndpointReport | undefined,
  own: EndpointReport | undefined,
  at: number
): Block | undefined => {
  const block = own === undefined ? undefined : findBlock(candidate, own, at)
  if (block !== undefined || shared?.breaker.state !== "open" || isMostlyCredentialRefused(shared))
    return block
  return findBlock(candidate, shared, at)
}

/** Whether most failures are refusals of the host's own credential. */
const isMostlyCredentialRefused = ({ errors }: EndpointReport): boolean => {
  const all = Object.values(errors).reduce((sum, count) => sum + count, 0)
  return 2 * (errors["credential_refused"] ?? 0) > all
}

const findBlock = (
  candidate: Candidate,
  { breaker }: EndpointReport,
  at: number
): Block | undefined => {
  switch (breaker.state) {
    case "closed":
    case "ramping":
      return undefined
    case "open":
      return breaker.nextProbeAt <= at
        ? undefined
        : makeBlock(candidate, "breaker", breaker.nextProbeAt, {
            wanted: "a closed breaker",
            found: `${breaker.cause}; open for ${toSeconds(at - breaker.since)}, next probe in ${toSeconds(breaker.nextProbeAt - at)}`
          })
    case "backing_off":
      return breaker.until <= at
        ? undefined
        : makeBlock(candidate, "rate_limited", breaker.until, {
            wanted: "no rate limit of the provider",
            found: `${breaker.cause}; for another ${toSeconds(breaker.until - at)}`
          })
  }
}

const makeBlock = (
  candidate: Candidate,
  rule: Exclusion,
  until: number,
  finding: { readonly wanted: string; readonly found: string }
): Block => ({ candidate, until, reason: { rule, source: "health", ...finding } })

const toSeconds = (millis: number): string => `${Math.round(millis / 100) / 10} s`
