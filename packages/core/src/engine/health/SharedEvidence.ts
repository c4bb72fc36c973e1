/**
 * What other processes told of an endpoint. Together with the attempts of this process it is a doubt, which moves the endpoint
 * back and never rejects it, so that each process need not see an outage for itself.
 */
import type { SettingsShape } from "../../instance/Settings.ts"
import * as Counts from "./Counts.ts"
import type { EndpointHealth } from "./EndpointHealth.ts"
import type { Outage } from "./HealthSnapshot.ts"
import * as Sliding from "./SlidingWindow.ts"

/** What a process saw since its last message. */
export interface Evidence extends Counts.Counts {
  /** The process. */
  readonly from: string
  /** When it was told, by `Health.time` of this process. */
  readonly at: number
  /** For how long the provider asked that process to wait, from `at`; 0: it did not. */
  readonly waitMillis: number
}

type EvidenceRules = Pick<SettingsShape, "breakerMinSamples" | "breakerFailureRatio">

/** Older evidence is no reason to avoid an endpoint. */
export const evidenceMillis = 30_000

/** The evidence against one endpoint; it never changes. */
export class Doubt {
  readonly #evidence: ReadonlyArray<Evidence>
  readonly #rules: EvidenceRules

  constructor(evidence: ReadonlyArray<Evidence>, rules: EvidenceRules) {
    this.#evidence = evidence
    this.#rules = rules
  }

  add(evidence: Evidence): Doubt {
    return new Doubt([...this.#listAt(evidence.at), evidence], this.#rules)
  }

  /**
   * An outage that the processes see together: enough of their attempts failed to open a breaker, in at least two of them,
   * because one may have a broken network. What a provider asks of one process holds for all.
   */
  findOutage({ seconds }: EndpointHealth, now: number): Outage | undefined {
    const own = Sliding.total(Counts.bySecond, seconds, now, evidenceMillis)
    let { failures, successes } = own
    const failing = new Set<string>()
    let isAskedToWait = false
    for (const each of this.#listAt(now)) {
      failures += each.failures
      successes += each.successes
      if (each.failures > 0) failing.add(each.from)
      isAskedToWait ||= now < each.at + each.waitMillis
    }
    const { breakerFailureRatio, breakerMinSamples } = this.#rules
    const processes = failing.size + (own.failures > 0 ? 1 : 0)
    const of = failures + successes
    if (processes > 1 && of >= breakerMinSamples && failures >= of * breakerFailureRatio) {
      return { failures, of, processes }
    }
    return isAskedToWait ? { failures: 0, of: 0, processes: 1 } : undefined
  }

  #listAt(now: number): ReadonlyArray<Evidence> {
    return this.#evidence.filter(({ at }) => now - at < evidenceMillis)
  }
}

/** Whether an endpoint failed here lately. */
export const isFailing = ({ seconds }: EndpointHealth, now: number): boolean =>
  Sliding.total(Counts.bySecond, seconds, now, evidenceMillis).failures > 0

/** What other processes are told: the attempts from `since` until `until`, and a wait that began then and lasts. */
export const findEvidence = (
  { backoff, seconds: { newest, older } }: EndpointHealth,
  since: number,
  until: number,
  now: number
): Pick<Evidence, "failures" | "successes" | "waitMillis"> => {
  const { bucketMillis, empty, merge } = Counts.bySecond
  const isWithin = (at: number): boolean => at >= since && at < until
  const counts = (newest === undefined ? older : [...older, newest])
    .filter(({ index }) => isWithin(index * bucketMillis))
    .reduce((sum, { value }) => merge(sum, value), empty)
  const isAskedToWait = backoff !== undefined && isWithin(backoff.since)
  return { ...counts, waitMillis: isAskedToWait ? Math.max(0, backoff.until - now) : 0 }
}
