/** A comparison of simulations as text for a terminal. */
import { toPercent } from "../../../values/render/renderPlot.ts"
import { renderTable } from "../../../values/render/renderTable.ts"
import type { SimulationComparison } from "../compareSimulations.ts"
import { comparisonHead, listComparisonNotes, listComparisonRows } from "./describeComparison.ts"

/** Tables of the figures and of the shares, then what to know before believing them. */
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
