/**
 * The one estimate of how long endpoints take to begin their answers. It says when a second attempt is started, and when an
 * attempt is so late that its endpoint is suspected to fail.
 */
import type { Outcome } from "../../../engine/health/Outcome.ts"
import { getLatency } from "../../../engine/health/RecentLatency.ts"
import * as Histogram from "../../../values/Histogram.ts"
import { setMostRecent } from "../../../values/setMostRecent.ts"
import type { Candidate } from "../../Candidate.ts"
import { FirstEventWindow } from "./FirstEventWindow.ts"

/** A quantile of fewer is not used. */
const minSamples = 20

export class FirstEventTimes {
  readonly #maxTracked: number
  /** By kind of work and model. */
  readonly #byModel = new Map<string, ModelTimes>()
  /** The one that was recorded last, which is often the next one, too. */
  #latest: ModelTimes | undefined = undefined

  /** Keeps up to `maxTracked` models, and as many endpoints of each. */
  constructor(maxTracked: number) {
    this.#maxTracked = maxTracked
  }

  /** Only first events and whole answers count, and attempts that were cut off, as having taken as long as they lasted. */
  record(kind: string, { endpoint }: Pick<Candidate, "endpoint">, outcome: Outcome): void {
    const millis = getLatency(outcome)
    if (millis === undefined) return
    const times = this.#find(kind, endpoint.model) ?? new ModelTimes(kind, endpoint.model)
    const own = times.byEndpoint.get(endpoint.id) ?? makeEndpointTimes()
    own.window.add(millis, outcome.at)
    if (times.latest !== own) setMostRecent(times.byEndpoint, endpoint.id, own, this.#maxTracked)
    times.latest = own
    if (this.#latest !== times) {
      setMostRecent(this.#byModel, toKey(kind, endpoint.model), times, this.#maxTracked)
    }
    this.#latest = times
  }

  /** The quantile of the endpoints of a model together, in milliseconds; undefined: too little is known. */
  getQuantile(kind: string, model: string, quantile: number, now: number): number | undefined {
    const times = this.#find(kind, model)
    return times === undefined
      ? undefined
      : measure(times.quantile, now, () => {
          const windows = Array.from(times.byEndpoint.values(), ({ window }) => window.total(now))
          return findQuantile(Histogram.mergeAll(windows), quantile)
        })
  }

  /**
   * The p99 of one endpoint, in milliseconds; undefined: too little is known. It outlasts the answers that it is of, because an
   * endpoint that hangs has no others.
   */
  getP99(kind: string, { endpoint }: Pick<Candidate, "endpoint">, now: number): number | undefined {
    const own = this.#find(kind, endpoint.model)?.byEndpoint.get(endpoint.id)
    return own === undefined
      ? undefined
      : measure(own.p99, now, () => {
          const millis = findQuantile(own.window.total(now), 0.99)
          if (millis !== undefined) own.knownAt = now
          return millis ?? (now - own.knownAt < keptMillis ? own.p99.millis : undefined)
        })
  }

  #find(kind: string, model: string): ModelTimes | undefined {
    return this.#latest?.kind === kind && this.#latest.model === model
      ? this.#latest
      : this.#byModel.get(toKey(kind, model))
  }
}

class ModelTimes {
  readonly kind: string
  readonly model: string
  readonly byEndpoint = new Map<string, EndpointTimes>()
  readonly quantile = makeMeasurement()
  /** The one that was recorded last. */
  latest: EndpointTimes | undefined = undefined

  constructor(kind: string, model: string) {
    this.kind = kind
    this.model = model
  }
}

interface EndpointTimes {
  readonly window: FirstEventWindow
  readonly p99: Measurement
  /** When there were last enough answers for `p99`. */
  knownAt: number
}

interface Measurement {
  measuredAt: number
  /** At `measuredAt`. */
  millis: number | undefined
}

const makeMeasurement = (): Measurement => ({
  measuredAt: Number.NEGATIVE_INFINITY,
  millis: undefined
})

const makeEndpointTimes = (): EndpointTimes => ({
  window: new FirstEventWindow(),
  p99: makeMeasurement(),
  knownAt: Number.NEGATIVE_INFINITY
})

const findQuantile = (times: Histogram.Histogram, quantile: number): number | undefined =>
  times.count < minSamples ? undefined : Histogram.getQuantile(times, quantile)

/** How long a p99 is used without new answers. */
const keptMillis = 600_000

/** How old a quantile may be, because every request asks for it. */
const measurementMillis = 1_000

const measure = (
  measurement: Measurement,
  now: number,
  compute: () => number | undefined
): number | undefined => {
  if (measurement.millis === undefined || now - measurement.measuredAt >= measurementMillis) {
    measurement.measuredAt = now
    measurement.millis = compute()
  }
  return measurement.millis
}

const toKey = (kind: string, model: string): string => `${kind} ${model}`
