import type { BreakerReport, EndpointReport } from "./HealthSnapshot.ts"

/** `jump` is what to add, in milliseconds. */
export const moveBreaker = (report: EndpointReport, jump: number): EndpointReport =>
  jump === 0 || report.breaker.state === "closed"
    ? report
    : { ...report, breaker: moveTimes(report.breaker, jump) }

const moveTimes = (breaker: BreakerReport, jump: number): BreakerReport => {
  switch (breaker.state) {
    case "closed":
      return breaker
    case "open":
      return {
        ...breaker,
        since: breaker.since + jump,
        nextProbeAt: breaker.nextProbeAt + jump
      }
    case "ramping":
      return { ...breaker, since: breaker.since + jump }
    case "backing_off":
      return { ...breaker, since: breaker.since + jump, until: breaker.until + jump }
  }
}
