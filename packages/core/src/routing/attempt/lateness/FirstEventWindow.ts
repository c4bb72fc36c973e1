/** The times to the first events of one endpoint in the last minute. */
import { identity } from "effect/Function"
import * as SlidingWindow from "../../../engine/health/SlidingWindow.ts"
import * as Histogram from "../../../values/Histogram.ts"

const windowMillis = 60_000

const bySeconds: SlidingWindow.BucketAggregator<Histogram.Histogram, number> = {
  bucketMillis: 5_000,
  empty: Histogram.empty,
  add: Histogram.add,
  merge: Histogram.merge
}

const addAll = (times: Histogram.Histogram, millis: ReadonlyArray<number>) =>
  Histogram.addAll(times, millis, identity)

/** Bounds the memory between two measurements. */
const maxPending = 64

export class FirstEventWindow {
  #window: SlidingWindow.SlidingWindow<Histogram.Histogram> = SlidingWindow.empty
  /** Times of the bucket of `#pendingAt` that are not in the window yet: one copy of it serves all of them. */
  readonly #pending: Array<number> = []
  #pendingAt = 0

  add(millis: number, at: number): void {
    const isSameBucket =
      Math.floor(at / bySeconds.bucketMillis) ===
      Math.floor(this.#pendingAt / bySeconds.bucketMillis)
    if (!isSameBucket || this.#pending.length >= maxPending) this.#fold()
    this.#pending.push(millis)
    this.#pendingAt = at
  }

  total(now: number): Histogram.Histogram {
    this.#fold()
    return SlidingWindow.total(bySeconds, this.#window, now, windowMillis)
  }

  #fold(): void {
    if (this.#pending.length === 0) return
    this.#window = SlidingWindow.addAll(
      bySeconds,
      this.#window,
      this.#pending,
      this.#pendingAt,
      windowMillis,
      addAll
    )
    this.#pending.length = 0
  }
}
