/** When the requests of a process are hedged: what it learned from first events, and what its budget leaves. */
import type { Outcome } from "../../../engine/health/Outcome.ts"
import { getLatency } from "../../../engine/health/RecentLatency.ts"
import { setMostRecent } from "../../../values/setMostRecent.ts"
import * as FirstEventWindow from "./FirstEventWindow.ts"
import { HedgeBudget } from "./HedgeBudget.ts"
import { type HedgingOptions, resolveHedging } from "./HedgingOptions.ts"

export class Hedger {
  readonly budget: HedgeBudget
  readonly #options: Required<HedgingOptions>
  readonly #maxTracked: number
  /** By kind of operation and model. */
  readonly #tracked = new Map<string, Tracked>()

  /** Keeps up to `maxTracked` models. */
  constructor(options: HedgingOptions, maxTracked: number) {
    this.#options = resolveHedging(options)
    this.#maxTracked = maxTracked
    this.budget = new HedgeBudget(this.#options.share)
  }

  /** Counts a request that may be hedged, and returns after how many whole milliseconds; undefined: too little is known. */
  beginRequest(kind: string, model: string, now: number): number | undefined {
    this.budget.addRequest()
    const tracked = this.#tracked.get(toKey(kind, model))
    if (tracked === undefined) return undefined
    const { leastMillis, quantile } = this.#options
    if (tracked.delayMillis === undefined || now - tracked.measuredAt >= measurementMillis) {
      tracked.measuredAt = now
      tracked.delayMillis = FirstEventWindow.getQuantile(tracked.window, quantile, now)
    }
    return tracked.delayMillis === undefined
      ? undefined
      : Math.ceil(Math.max(leastMillis, tracked.delayMillis))
  }

  /** Only first events and whole answers count, and attempts that were cut off, as having taken as long as they lasted. */
  record(kind: string, model: string, outcome: Outcome): void {
    const millis = getLatency(outcome)
    if (millis === undefined) return
    const key = toKey(kind, model)
    const tracked = this.#tracked.get(key) ?? {
      window: FirstEventWindow.empty,
      measuredAt: Number.NEGATIVE_INFINITY,
      delayMillis: undefined
    }
    tracked.window = FirstEventWindow.add(tracked.window, millis, outcome.at)
    setMostRecent(this.#tracked, key, tracked, this.#maxTracked)
  }
}

interface Tracked {
  window: FirstEventWindow.FirstEventWindow
  measuredAt: number
  /** The quantile at `measuredAt`. */
  delayMillis: number | undefined
}

/** How old the quantile may be, because every request asks for it. */
const measurementMillis = 1_000

const toKey = (kind: string, model: string): string => `${kind} ${model}`
