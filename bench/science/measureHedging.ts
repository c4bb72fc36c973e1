/** Runs strategies over known outcomes, with and without second attempts. */
import type { HedgingOptions, Strategy } from "@signalbox/core"
import { simulate, type SimulateOptions } from "@signalbox/core/simulator"

export interface HedgingFigures {
  /** Milliseconds to the first event. */
  readonly p50: number
  readonly p95: number
  readonly p99: number
  readonly p999: number
  readonly failures: number
  readonly attempts: number
  /** Second attempts, and those that answered. */
  readonly hedges: number
  readonly wins: number
  /** USD for 1,000 requests. */
  readonly usd: number
}

export interface HedgingCase {
  readonly strategy: Strategy
  /** Absent: no second attempts. */
  readonly hedging?: HedgingOptions
}

/** Over the mean of the seeds. */
export const measureHedging = (
  toTraffic: (seed: number) => Pick<SimulateOptions, "answer" | "models" | "recording">,
  { hedging, strategy }: HedgingCase,
  seeds: ReadonlyArray<number>
): HedgingFigures => {
  const runs = seeds.map((seed): HedgingFigures => {
    const report = simulate({ ...toTraffic(seed), strategy, seed, hedging: hedging ?? false })
    const { attempts, cost, failures, hedges, hedgeWins, p50, p95, p99, quantiles, requests } =
      report
    const p999 = quantiles.find(({ share }) => share === 0.999)?.millis
    if (p50 === undefined || p95 === undefined || p99 === undefined || p999 === undefined) {
      throw new Error("nothing was answered")
    }
    const usd = (Number(cost) / 1e9 / requests) * 1_000
    return { p50, p95, p99, p999, failures, attempts, hedges, wins: hedgeWins, usd }
  })
  const toMean = (name: keyof HedgingFigures): number =>
    runs.reduce((sum, run) => sum + run[name], 0) / runs.length
  return {
    p50: toMean("p50"),
    p95: toMean("p95"),
    p99: toMean("p99"),
    p999: toMean("p999"),
    failures: toMean("failures"),
    attempts: toMean("attempts"),
    hedges: toMean("hedges"),
    wins: toMean("wins"),
    usd: toMean("usd")
  }
}
