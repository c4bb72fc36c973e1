/** A comparison of simulations as JSON. */
import type { Json } from "effect/Schema"
import * as NanoUsd from "../../../values/usage/NanoUsd.ts"
import type { SimulationComparison } from "../compareSimulations.ts"
import type { LatencyFigures, SimulationReport } from "../SimulationReport.ts"

/** Costs are numbers of USD, latencies milliseconds, shares from 0 to 1. What is unknown is null. */
export const toSimulationJson = ({
  ranking,
  recorded,
  reports,
  unranked
}: SimulationComparison): Json => ({
  recorded: toLatencyJson(recorded),
  runs: reports.map(toReportJson),
  ranking,
  unranked
})

const toReportJson = (report: SimulationReport): Json => ({
  name: report.name,
  seed: report.seed,
  window_ms: report.windowMillis,
  ...toLatencyJson(report),
  cost_usd: report.cost === undefined ? null : NanoUsd.toUsdNumber(report.cost),
  attempts: report.attempts,
  shares: report.shares,
  hedges: report.hedges,
  hedge_wins: report.hedgeWins,
  under_way: Object.fromEntries(
    Object.entries(report.load).map(([endpoint, { recorded, simulated }]) => [
      endpoint,
      { recorded: { ...recorded }, simulated: { ...simulated } }
    ])
  ),
  extrapolates: report.extrapolates.map((extrapolation) => ({ ...extrapolation })),
  unrecorded: report.unrecorded,
  skipped: report.skipped
})

const toLatencyJson = ({
  failures,
  overTime,
  p50,
  p95,
  p99,
  quantiles,
  requests
}: LatencyFigures) => ({
  requests,
  failures,
  p50_ms: p50 ?? null,
  p95_ms: p95 ?? null,
  p99_ms: p99 ?? null,
  quantiles: quantiles.map((each) => ({ ...each })),
  over_time: overTime.map((step) => ({
    at: step.at,
    requests: step.requests,
    p50_ms: step.p50 ?? null,
    p95_ms: step.p95 ?? null
  }))
})
