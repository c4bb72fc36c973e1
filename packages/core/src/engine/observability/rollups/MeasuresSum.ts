/** Adds up measures in place, because a copy for each value of each request would cost more than the request. */
import { HistogramSum } from "../../../values/HistogramSum.ts"
import { NanoUsdSum } from "../../../values/usage/NanoUsdSum.ts"
import type { Generation, GenerationAttempt } from "../generations/Generation.ts"
import type { Measures } from "./Measures.ts"

/** The counts of a request or an attempt. */
export interface Counted {
  /** Its money, usage and time. */
  readonly of: Pick<
    Generation & GenerationAttempt,
    "cost" | "isByok" | "latencyMillis" | "upstreamCost" | "usage"
  >
  readonly isAnswer: boolean
  /** An attempt in whose place another one answered is neither. */
  readonly isError: boolean
  /** Milliseconds to the first event, of streams that began. */
  readonly firstEventMillis: number | undefined
}

export const countGeneration = (generation: Generation): Counted => {
  const last = generation.attempts.at(-1)
  return {
    of: generation,
    isAnswer: generation.error === undefined,
    isError: generation.error !== undefined,
    // Earlier attempts and their backoff are part of the caller's wait.
    firstEventMillis:
      last?.firstEventMillis === undefined
        ? undefined
        : Math.max(0, generation.latencyMillis - last.latencyMillis) + last.firstEventMillis
  }
}

export const countAttempt = (attempt: GenerationAttempt): Counted => ({
  of: attempt,
  isAnswer: attempt.outcome === "served",
  isError: attempt.outcome !== "served" && attempt.lost !== true,
  firstEventMillis: attempt.firstEventMillis
})

export class MeasuresSum {
  private requests = 0
  private errors = 0
  private byok = 0
  private unpriced = 0
  private inputTokens = 0
  private outputTokens = 0
  private cachedTokens = 0
  private reasoningTokens = 0
  private readonly cost = new NanoUsdSum()
  private readonly upstreamCost = new NanoUsdSum()
  private readonly latency = new HistogramSum()
  private readonly firstEvent = new HistogramSum()

  add({ firstEventMillis, isAnswer, isError, of }: Counted): void {
    const { cost, usage } = of
    this.requests++
    if (isError) this.errors++
    if (isAnswer) {
      if (cost === undefined) this.unpriced++
      this.latency.add(of.latencyMillis)
    }
    if (of.isByok === true) this.byok++
    if (cost !== undefined) this.cost.add(cost)
    if (of.upstreamCost !== undefined) this.upstreamCost.add(of.upstreamCost)
    if (firstEventMillis !== undefined) this.firstEvent.add(firstEventMillis)
    if (usage === undefined) return
    this.inputTokens += usage.inputTokens
    this.outputTokens += usage.outputTokens
    this.cachedTokens += usage.cachedTokens ?? 0
    this.reasoningTokens += usage.reasoningTokens ?? 0
  }

  toMeasures(): Measures {
    return {
      requests: this.requests,
      errors: this.errors,
      byok: this.byok,
      unpriced: this.unpriced,
      inputTokens: this.inputTokens,
      outputTokens: this.outputTokens,
      cachedTokens: this.cachedTokens,
      reasoningTokens: this.reasoningTokens,
      cost: this.cost.toNanoUsd(),
      upstreamCost: this.upstreamCost.toNanoUsd(),
      latency: this.latency.toHistogram(),
      firstEvent: this.firstEvent.toHistogram()
    }
  }
}
