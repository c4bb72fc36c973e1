/** What endpoints do decides who may be asked now: an open breaker and a running backoff leave out. */
import type { EndpointReport, HealthSnapshot } from "../../health/HealthSnapshot.ts"
import { type Candidate, isByok } from "../Candidate.ts"
import type { RejectedCandidate } from "../Reason.ts"
import type { Exclusion, Reason } from "../Reason.ts"

export interface BreakerFilterResult {
  readonly allowed: ReadonlyArray<Candidate>
  readonly blocked: ReadonlyArray<RejectedCandidate>
  /**
   * The candidate that would be blocked too, if it were not the last one left: it is asked without
   * waiting for a probe.
   */
  readonly lastResort?: Candidate
}

/** Never blocks the only candidate: of those that are all blocked, the one stays whose wait ends first. */
export const filterByBreaker = (
  candidates: ReadonlyArray<Candidate>,
  { at, endpoints }: HealthSnapshot
): BreakerFilterResult => {
  const allowed: Array<Candidate> = []
  const blocked: Array<Block> = []
  for (const candidate of candidates) {
    const report = endpoints[candidate.endpoint.id]
    const block = isByok(candidate)
      ? findCredentialBlock(candidate, report, endpoints[candidate.id], at)
      : report === undefined
        ? undefined
        : findBlock(candidate, report, at)
    if (block === undefined) allowed.push(candidate)
    else blocked.push(block)
  }
  if (allowed.length > 0 || blocked.length === 0)
    return { allowed, blocked: blocked.map(toRejectedCandidate) }
  const first = blocked.reduce((self, that) => (that.until < self.until ? that : self))
  return {
    allowed: [first.candidate],
    blocked: blocked.filter((block) => block !== first).map(toRejectedCandidate),
    lastResort: first.candidate
  }
}

interface Block {
  readonly candidate: Candidate
  readonly until: number
  readonly reason: Reason<Exclusion>
}

const toRejectedCandidate = ({ candidate, reason }: Block): RejectedCandidate => ({
  candidate,
  reasons: [reason]
})

/** A credential answers for what was refused to itself, its endpoint for everything else. */
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

/** Whether most of what goes wrong is that the host's own credential is refused. */
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
