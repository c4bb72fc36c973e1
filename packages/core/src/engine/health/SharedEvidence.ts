/**
 * What other processes told of an endpoint. Together with the attempts of this process it is a doubt, which moves the endpoint
 * back and never rejects it, so that each process need not see an outage for itself.
 */
import type { SettingsShape } from "../../instance/Settings.ts"
import { getMinSamples } from "./Breaker.ts"
import * as Counts from "./Counts.ts"
import { type EndpointHealth, toOutage } from "./EndpointHealth.ts"
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
  /** Its attempts under way at that time that are suspected to fail. The next message of the process replaces the number. */
  readonly suspected: number
}

type EvidenceRules = Pick<SettingsShape, "breakerMinSamples" | "breakerFailureRatio">

/** Older evidence is no reason to avoid an endpoint. */
export const evidenceMillis = 30_000

/**
 * How far a message reaches back. Own attempts count for the time of which other processes tell: successes from before the first
 * failure would outweigh it.
 */
const toldMillis = 2_000

/** A process with suspected attempts says so every second, unless it is gone. */
const suspicionMillis = 3_000

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

  /** When its last evidence of failures will be too old to count. */
  get endsAt(): number {
    return this.#evidence.reduce(
      (latest, { at, failures, suspected }) =>
        failures + suspected > 0 ? Math.max(latest, at + evidenceMillis) : latest,
      0
    )
  }

  /**
   * An outage that the processes see together: enough of their attempts failed to open a breaker, in at least two of them,
   * because one may have a broken network. What a provider asks of one process holds for all. An endpoint that returns from such
   * an outage needs as few attempts as one whose breaker closes.
   */
  findOutage(
    { seconds, suspected: ownSuspected }: EndpointHealth,
    now: number,
    isReturning: boolean
  ): Outage | undefined {
    const evidence = this.#listAt(now)
    const [oldest] = evidence
    if (oldest === undefined) return undefined
    const own = Sliding.total(Counts.bySecond, seconds, now, now - oldest.at + toldMillis)
    let { failures, successes } = own
    const failing = new Set<string>()
    /** By process; the latest number holds. */
    const suspectedBy = new Map<string, number>()
    let isAskedToWait = false
    for (const each of evidence) {
      failures += each.failures
      successes += each.successes
      if (each.failures > 0) failing.add(each.from)
      if (now - each.at <= suspicionMillis) suspectedBy.set(each.from, each.suspected)
      isAskedToWait ||= now < each.at + each.waitMillis
    }
    let suspected = ownSuspected
    for (const [from, count] of suspectedBy) {
      suspected += count
      if (count > 0) failing.add(from)
    }
    const { breakerFailureRatio } = this.#rules
    const minSamples = getMinSamples(isReturning, this.#rules)
    const processes = failing.size + (own.failures + ownSuspected > 0 ? 1 : 0)
    const outage = toOutage(failures, successes, suspected)
    const { failures: failed, of } = outage
    if (processes > 1 && of >= minSamples && failed >= of * breakerFailureRatio) {
      return { ...outage, processes }
    }
    return isAskedToWait ? { failures: 0, of: 0, processes: 1 } : undefined
  }

  #listAt(now: number): ReadonlyArray<Evidence> {
    return this.#evidence.filter(({ at }) => now - at < evidenceMillis)
  }
}

/** Whether an endpoint failed here lately, or is suspected to. */
export const isFailing = ({ seconds, suspected }: EndpointHealth, now: number): boolean =>
  suspected > 0 || Sliding.total(Counts.bySecond, seconds, now, evidenceMillis).failures > 0

/**
 * What other processes are told: the attempts from `since` until `until`, a wait that began then and lasts, and what is suspected
 * now.
 */
export const findEvidence = (
  { backoff, seconds: { newest, older }, suspected }: EndpointHealth,
  since: number,
  until: number,
  now: number
): Omit<Evidence, "at" | "from"> => {
  const { bucketMillis, empty, merge } = Counts.bySecond
  const isWithin = (at: number): boolean => at >= since && at < until
  const counts = (newest === undefined ? older : [...older, newest])
    .filter(({ index }) => isWithin(index * bucketMillis))
    .reduce((sum, { value }) => merge(sum, value), empty)
  const isAskedToWait = backoff !== undefined && isWithin(backoff.since)
  return { ...counts, waitMillis: isAskedToWait ? Math.max(0, backoff.until - now) : 0, suspected }
}
