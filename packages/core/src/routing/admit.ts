/** What endpoints do decides who may be asked now: an open breaker and a running backoff leave out. */
import type { EndpointReport, HealthSnapshot } from "../health/HealthSnapshot.ts"
import { type Candidate, isByok } from "./Candidate.ts"
import type { Rejected } from "./Rejected.ts"
import type { Exclusion, Reason } from "./Reason.ts"

export interface Admitted {
  readonly admitted: ReadonlyArray<Candidate>
  readonly blocked: ReadonlyArray<Rejected>
  /**
   * The candidate that would be blocked too, if it were not the last one left: it is asked without
   * waiting for a probe.
   */
  readonly lastResort?: Candidate
}

/** Never blocks the only candidate: of those that are all blocked, the one stays whose wait ends first. */
export const admit = (
  candidates: ReadonlyArray<Candidate>,
  { at, endpoints }: HealthSnapshot
): Admitted => {
  const admitted: Array<Candidate> = []
  const blocked: Array<Block> = []
  for (const candidate of candidates) {
    const report = endpoints[candidate.endpoint.id]
    const block = isByok(candidate)
      ? ownBlockOf(candidate, report, endpoints[candidate.id], at)
      : report === undefined
        ? undefined
        : blockOf(candidate, report, at)
    if (block === undefined) admitted.push(candidate)
    else blocked.push(block)
  }
  if (admitted.length > 0 || blocked.length === 0)
    return { admitted, blocked: blocked.map(rejected) }
  const first = blocked.reduce((self, that) => (that.until < self.until ? that : self))
  return {
    admitted: [first.candidate],
    blocked: blocked.filter((block) => block !== first).map(rejected),
    lastResort: first.candidate
  }
}

interface Block {
  readonly candidate: Candidate
  readonly until: number
  readonly reason: Reason<Exclusion>
}

const rejected = ({ candidate, reason }: Block): Rejected => ({ candidate, reasons: [reason] })

/** A credential answers for what was refused to itself, its endpoint for everything else. */
const ownBlockOf = (
  candidate: Candidate,
  shared: EndpointReport | undefined,
  own: EndpointReport | undefined,
  at: number
): Block | undefined => {
  const block = own === undefined ? undefined : blockOf(candidate, own, at)
  if (block !== undefined || shared?.breaker.state !== "open" || isRefusal(shared)) return block
  return blockOf(candidate, shared, at)
}

/** Whether most of what goes wrong is that the host's own credential is refused. */
const isRefusal = ({ errors }: EndpointReport): boolean => {
  const all = Object.values(errors).reduce((sum, count) => sum + count, 0)
  return 2 * (errors["credential_refused"] ?? 0) > all
}

const blockOf = (
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
        : block(candidate, "breaker", breaker.nextProbeAt, {
            wanted: "a closed breaker",
            found: `${breaker.cause}; open for ${seconds(at - breaker.since)}, next probe in ${seconds(breaker.nextProbeAt - at)}`
          })
    case "backing_off":
      return breaker.until <= at
        ? undefined
        : block(candidate, "rate_limited", breaker.until, {
            wanted: "no rate limit of the provider",
            found: `${breaker.cause}; for another ${seconds(breaker.until - at)}`
          })
  }
}

const block = (
  candidate: Candidate,
  rule: Exclusion,
  until: number,
  said: { readonly wanted: string; readonly found: string }
): Block => ({ candidate, until, reason: { rule, source: "health", ...said } })

const seconds = (millis: number): string => `${Math.round(millis / 100) / 10} s`
