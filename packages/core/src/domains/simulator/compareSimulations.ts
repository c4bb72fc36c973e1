/** Sets simulations of the same recording side by side. */
import type { LatencyFigures, SimulationReport } from "./SimulationReport.ts"

/** Simulations of one recording. */
export interface SimulationComparison {
  /** The traffic as it was recorded. */
  readonly recorded: LatencyFigures
  readonly reports: ReadonlyArray<SimulationReport>
  /** The names of those that extrapolate nowhere, best first: by failures, by the 95th percentile, then by cost. */
  readonly ranking: ReadonlyArray<string>
  /** The names of those that are not ranked, because the recording says too little about them. */
  readonly unranked: ReadonlyArray<string>
}

/** A run that extrapolates is never ranked: what it foretells about its endpoints was not recorded. */
export const compareSimulations = (
  recorded: LatencyFigures,
  reports: ReadonlyArray<SimulationReport>
): SimulationComparison => ({
  recorded,
  reports,
  ranking: reports
    .filter(isReliable)
    .toSorted(compareReports)
    .map(({ name }) => name),
  unranked: reports.filter((report) => !isReliable(report)).map(({ name }) => name)
})

const isReliable = ({ extrapolates, p95 }: SimulationReport): boolean =>
  extrapolates.length === 0 && p95 !== undefined

const compareReports = (one: SimulationReport, other: SimulationReport): number =>
  one.failures - other.failures ||
  (one.p95 ?? 0) - (other.p95 ?? 0) ||
  Number(one.cost ?? 0n) - Number(other.cost ?? 0n)
