/** A histogram that values are added to in place, because a copy for each would cost more than the counting itself. */
import * as Histogram from "./Histogram.ts"

export class HistogramSum {
  private count = 0
  private first = 0
  private readonly counts: Array<number> = []

  add(value: number): void {
    const bucket = Histogram.toBucket(value)
    if (this.count === 0) this.first = bucket
    for (; bucket < this.first; this.first--) this.counts.unshift(0)
    while (bucket >= this.first + this.counts.length) this.counts.push(0)
    this.counts[bucket - this.first]! += 1
    this.count++
  }

  /** A copy, which later values do not change. */
  toHistogram(): Histogram.Histogram {
    const { count, counts, first } = this
    return count === 0 ? Histogram.empty : { count, first, counts: counts.slice() }
  }
}
