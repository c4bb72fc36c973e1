/** The figures and notes of a comparison, in words, for every kind of output, and a comparison as text. */
import { toPercent } from "../../../values/render/renderPlot.ts"
import { renderTable } from "../../../values/render/renderTable.ts"
import * as NanoUsd from "../../../values/usage/NanoUsd.ts"
import type { SimulationComparison } from "../compareSimulations.ts"
import type { Extrapolation, LatencyFigures, SimulationReport } from "../SimulationReport.ts"

export const comparisonHead = [
  "strategy",
  "rank",
  "p50 ms",
  "p95 ms",
  "p99 ms",
  "failures",
  "USD per 1,000",
  "hedged"
] as const

/** A row for the recording, then one for each run. */
export const listComparisonRows = ({
  ranking,
  recorded,
  reports
}: SimulationComparison): ReadonlyArray<ReadonlyArray<string>> => [
  ["as recorded", "", ...describeLatency(recorded), "", ""],
  ...reports.map((report) => {
    const { hedges, name, requests } = report
    const rank = ranking.indexOf(name) + 1
    return [
      name,
      rank === 0 ? "none" : String(rank),
      ...describeLatency(report),
      describeCost(report),
      `${((100 * hedges) / requests).toFixed(1)} %`
    ]
  })
]

/** What a reader must know before believing the figures. */
export const listComparisonNotes = ({
  reports,
  unranked
}: SimulationComparison): ReadonlyArray<string> => [
  ...reports.flatMap(({ extrapolates, name }) =>
    extrapolates.map(
      (extrapolation) => `${name} extrapolates: ${describeExtrapolation(extrapolation)}`
    )
  ),
  ...(unranked.length === 0
    ? []
    : [`Not ranked, because the recording says too little about them: ${unranked.join(", ")}.`]),
  ...listOnce(reports.map(({ unrecorded }) => unrecorded)).map(
    (endpoint) => `Left out, because nothing is recorded of it: ${endpoint}.`
  ),
  ...listOnce(
    reports.map(({ skipped }) =>
      skipped === 0
        ? []
        : [`${skipped} requests were left out: no endpoint of their model is recorded.`]
    )
  )
]

const describeExtrapolation = ({ endpoint, reason, recorded, simulated }: Extrapolation): string =>
  reason === "load"
    ? `up to ${simulated} requests under way at ${endpoint}, recorded ${recorded}; a queue there is unknown.`
    : `nothing is recorded of ${endpoint} near ${(100 * (1 - recorded)).toFixed(0)} % of its calls.`

const listOnce = (lists: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<string> =>
  Array.from(new Set(lists.flat()))

const describeLatency = ({ failures, p50, p95, p99 }: LatencyFigures): ReadonlyArray<string> => [
  describeMillis(p50),
  describeMillis(p95),
  describeMillis(p99),
  String(failures)
]

const describeMillis = (millis: number | undefined): string =>
  millis === undefined ? "none" : String(Math.round(millis))

const describeCost = ({ cost, requests }: SimulationReport): string =>
  cost === undefined ? "unknown" : ((NanoUsd.toUsdNumber(cost) / requests) * 1_000).toFixed(4)

/**
 * A comparison of simulations as text for a terminal: tables of the figures and of the shares, then what to know
 * before believing them.
 */
export const renderSimulationText = (comparison: SimulationComparison): string => {
  const endpoints = listEndpoints(comparison)
  return [
    renderTable(comparisonHead, listComparisonRows(comparison)),
    "",
    renderTable(
      ["attempts at", ...comparison.reports.map(({ name }) => name)],
      endpoints.map((endpoint) => [
        endpoint,
        ...comparison.reports.map(({ shares }) => toPercent(shares[endpoint] ?? 0))
      ])
    ),
    "",
    ...listComparisonNotes(comparison)
  ].join("\n")
}

export const listEndpoints = ({ reports }: SimulationComparison): ReadonlyArray<string> =>
  Array.from(new Set(reports.flatMap(({ load }) => Object.keys(load)))).toSorted()
